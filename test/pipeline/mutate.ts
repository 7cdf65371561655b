/** Random numbers that come out the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const characters = [
  "{",
  "}",
  "[",
  "]",
  ":",
  ": ",
  "-",
  "- ",
  " #",
  "#",
  "${",
  "}",
  "'",
  '"',
  "\\",
  "\n",
  "\r\n",
  "\t",
  " ",
  "",
  "&a ",
  "*a",
  "!x ",
  "|",
  ">",
  "%",
  "@",
  "`",
  ",",
  "?",
  "\u0000",
  "\u007f",
  "\u2028",
  "\ufeff",
  "é",
  "字",
  "😀",
  "\ud800",
  "0",
  "9".repeat(20),
  "\u0301",
];
const words = [
  "null",
  "true",
  "yes",
  "~",
  "1",
  "-1",
  "1e400",
  ".inf",
  "0x1F",
  "[]",
  "{}",
  "''",
  "a: b",
  "${ vars.x }",
  "${env:X}",
  "${file:x}",
  "${ input.q }",
  "${ candidate.scor }",
  "${ 1 + }",
  "$${",
  "__proto__",
  "constructor",
  "toString",
  "input",
  "version",
  "resources",
  "targets",
  "strategies",
  "text",
  "vector",
  "hybrid",
  "refine",
  "search",
  "collection",
  "sqlite",
  "default",
  "graphs",
  "nodes",
  "node",
  "value",
  "when",
  "after",
  "MEMORY.SEARCH",
  "include",
  "profiles",
  "kb",
  "x".repeat(300),
  "<<",
  "*a",
  "&a b",
  "!!str",
  "!has(x)",
];

type Mutation = (text: string, random: () => number) => string;

/** One change of one kind. */
const mutations: readonly Mutation[] = [
  // Bytes.
  (text, random) => splice(text, random, { length: 0, by: pick(characters, random) }),
  (text, random) => splice(text, random, { length: 1, by: "" }),
  (text, random) => splice(text, random, { length: Math.ceil(random() * 40), by: "" }),
  (text, random) => splice(text, random, { length: 1, by: pick(characters, random) }),
  (text, random) => text.slice(0, Math.floor(random() * text.length)),
  // Tokens.
  (text, random) => changeToken(text, random, () => pick(words, random)),
  (text, random) => changeToken(text, random, () => ""),
  (text, random) => changeToken(text, random, (token) => `${token}${token}`),
  (text, random) => changeToken(text, random, (token) => [...token].reverse().join("")),
  (text, random) => changeToken(text, random, (token) => `${token.slice(0, -1)}`),
  // Structure.
  (text, random) => changeLines(text, random, (lines, at) => lines.splice(at, 1)),
  (text, random) => changeLines(text, random, (lines, at) => lines.splice(at, 0, lines[at] ?? "")),
  (text, random) => changeLines(text, random, (lines, at) => lines.splice(at, 1, `  ${lines[at]}`)),
  (text, random) => changeLines(text, random, (lines, at) => lines.splice(at, 1, (lines[at] ?? "").replace(/^ {2}/u, ""))),
  (text, random) => changeLines(text, random, (lines, at) => lines.splice(at, 0, ...lines.splice(Math.floor(random() * lines.length), 3))),
  (text, random) => changeLines(text, random, (lines, at) => lines.splice(at, 1, (lines[at] ?? "").replace(/:.*$/u, `: ${pick(words, random)}`))),
  (text, random) => changeLines(text, random, (lines, at) => lines.splice(at, 1, (lines[at] ?? "").replace(/[^\s:]+(?=:)/u, pick(words, random)))),
];

/**
 * Changes a text in one to four places.
 *
 * @param text The text.
 * @param seed Equal seeds change equal texts alike.
 */
export function mutate(text: string, seed: number): string {
  const random = randomFrom(seed);
  let changed = text;
  for (let left = 1 + Math.floor(random() * 4); left > 0; left -= 1) changed = pick(mutations, random)(changed, random);
  return changed;
}

function pick<T>(items: readonly T[], random: () => number): T {
  return items[Math.floor(random() * items.length)] as T;
}

function splice(text: string, random: () => number, { length, by }: { readonly length: number; readonly by: string }): string {
  const at = Math.floor(random() * (text.length + 1));
  return text.slice(0, at) + by + text.slice(at + length);
}

function changeToken(text: string, random: () => number, change: (token: string) => string): string {
  const tokens = [...text.matchAll(/[\w.-]+|\$\{[^}]*\}|[^\s\w]/gu)];
  if (tokens.length === 0) return text;
  const token = pick(tokens, random);
  return text.slice(0, token.index) + change(token[0]) + text.slice(token.index + token[0].length);
}

function changeLines(text: string, random: () => number, change: (lines: string[], at: number) => unknown): string {
  const lines = text.split("\n");
  change(lines, Math.floor(random() * lines.length));
  return lines.join("\n");
}
