/** Whether a path is a pattern. */
export function isGlob(path: string): boolean {
  return /[*?{]/u.test(path);
}

/**
 * Reads a pattern: `*` and `?` inside a name, `**` for any folders, `{a,b}` for one of several.
 *
 * @param pattern Absolute, with `/` between names.
 * @returns The folder below which everything lies that it matches, and the test.
 */
export function globPattern(pattern: string): { readonly folder: string; readonly matches: (path: string) => boolean } {
  const names = pattern.split("/");
  const fixed = names.slice(0, names.findIndex(isGlob)).join("/");
  const source = pattern
    .split(/(\*\*\/|\*\*|\*|\?|\{[^{}]*\})/u)
    .map((part) => {
      if (part === "**/") return "(?:[^/]+/)*";
      if (part === "**") return ".*";
      if (part === "*") return "[^/]*";
      if (part === "?") return "[^/]";
      if (part.startsWith("{") && part.endsWith("}")) return `(?:${part.slice(1, -1).split(",").map(literal).join("|")})`;
      return literal(part);
    })
    .join("");
  const expression = new RegExp(`^${source}$`, "u");
  return { folder: fixed === "" ? "/" : fixed, matches: (path) => expression.test(path) };
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/gu, "\\$&");
}
