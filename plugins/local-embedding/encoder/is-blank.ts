/**
 * What the tokenizer makes no token of: spaces, control and formatting characters, the word mark (U+2581) and the
 * replacement character.
 */
const visible = /[^\s\p{Cc}\p{Cf}\u2581\ufffd]/u;

/**
 * Tells whether a text has no visible character, so that its vector would stand for nothing.
 *
 * @param text Any text.
 * @returns Whether it is empty or blank.
 */
export function isBlank(text: string): boolean {
  return !visible.test(text);
}
