/**
 * The tokens of a run of Han, Kana or Hangul: every pair of neighbours and every character.
 *
 * Pairs find words without a dictionary; single characters let words of one character be found. A question asks for the
 * single characters of Han only, each of which carries meaning; those of Kana and Hangul are sounds.
 *
 * @param run Characters of these scripts only.
 * @param purpose Whether the run stands in a text to be found or in a question.
 */
export function cjkTokens(run: string, purpose: "index" | "query"): string[] {
  const characters = Array.from(run.replace(/\p{M}/gu, ""));
  if (characters.length === 1) return characters;
  const tokens: string[] = [];
  for (const [index, character] of characters.entries()) {
    const next = characters[index + 1];
    if (next !== undefined) tokens.push(character + next);
    if (purpose === "index" || han.test(character)) tokens.push(character);
  }
  return tokens;
}

const han = /^\p{Script=Han}$/u;
