/**
 * Parses JSON without losing digits: integers beyond 2^53 become texts.
 *
 * @param text JSON.
 * @throws SyntaxError for what is no JSON.
 */
export function parseExactJson(text: string): unknown {
  return JSON.parse(longInteger.test(text) ? text.replace(tokens, exact) : text);
}

/** Sixteen digits that are no fraction: nothing shorter can be beyond 2^53. */
const longInteger = /(?<![\d.])\d{16}/;

/** Strings are gone through as wholes, so that digits in them are left alone. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function exact(token: string): string {
  return /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token;
}
