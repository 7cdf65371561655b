import { randomBytes } from "node:crypto";

/**
 * Makes an id that sorts behind all those made before in this process: a UUID of version 7.
 *
 * @returns Such as `0190163d-8694-739b-aea5-966c26f8ad91`.
 */
export function newId(): string {
  const now = Date.now();
  if (now > last.ms) last = { ms: now, sequence: 0 };
  else if (last.sequence < 0xfff) last = { ms: last.ms, sequence: last.sequence + 1 };
  else last = { ms: last.ms + 1, sequence: 0 };
  const time = last.ms.toString(16).padStart(12, "0");
  const random = randomBytes(8);
  random[0] = ((random[0] ?? 0) & 0x3f) | 0x80;
  const tail = random.toString("hex");
  const sequence = last.sequence.toString(16).padStart(3, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence}-${tail.slice(0, 4)}-${tail.slice(4)}`;
}

/** The newest time that was used; it runs ahead of the clock where one millisecond needs more than 4096 ids. */
let last = { ms: 0, sequence: 0 };
