/**
 * Makes a text safe to print on one line of a terminal: control characters, line breaks and marks that turn the direction of writing
 * come out as escapes.
 *
 * @param text Any text.
 */
export function visibleText(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu, (unit) => {
    const named = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }[unit];
    return named ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
