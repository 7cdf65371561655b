import { isRecord } from "../../base/is-record.ts";

/**
 * Makes a short excerpt of an error body, to be put behind a sentence about it.
 *
 * What could be a secret is blanked: words that share a piece with the key, words that are masked already, and long runs of letters
 * and digits without a space, which is what tokens look like.
 *
 * @param body The body as it came.
 * @param secret The key that was sent, if any; or everything that was sent and must not show.
 * @returns `: "..."`, or nothing for a blank body.
 */
export function excerpt(body: string, secret: string | readonly string[] | undefined): string {
  const secrets = typeof secret === "string" ? [secret] : (secret ?? []);
  const text = errorText(body)
    .slice(0, 1000)
    .replace(/[\p{C}\s]+/gu, " ")
    .trim();
  if (text === "") return "";
  const words = text.split(" ").map((word) => (mayBeSecret(word, secrets) ? "***" : word));
  const short = words.join(" ");
  return `: "${short.length > 160 ? `${short.slice(0, 160)}...` : short}"`;
}

/** The message of the usual error shapes, or the body itself. */
function errorText(body: string): string {
  try {
    const parsed: unknown = JSON.parse(body);
    if (!isRecord(parsed)) return body;
    const error = parsed.error ?? parsed;
    if (typeof error === "string") return error;
    for (const key of ["message", "detail", "error"]) {
      if (isRecord(error) && typeof error[key] === "string") return error[key];
    }
    return body;
  } catch {
    return body;
  }
}

function mayBeSecret(word: string, secrets: readonly string[]): boolean {
  if (word.includes("**") || /[\w+/=-]{20,}/.test(word) || /:\/\/[^/]*@/.test(word)) return true;
  return secrets.some((secret) => sharesPiece(word, secret));
}

function sharesPiece(word: string, secret: string): boolean {
  const piece = Math.min(6, secret.length);
  for (let start = 0; piece > 0 && start + piece <= secret.length; start += 1) {
    if (word.includes(secret.slice(start, start + piece))) return true;
  }
  return false;
}
