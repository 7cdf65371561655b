import { FunctionFault } from "./builtin-function.ts";

const encoder = new TextEncoder();

/**
 * Chooses one of several names by a key: the same key gives the same name in every process, and over many keys each name gets
 * its share.
 *
 * @param key The key.
 * @param shares The names with their shares, numbers that are not negative; their sum is the whole.
 * @returns The name.
 * @throws FunctionFault Where the shares are not such numbers, or all 0.
 */
export function chooseBucket(key: string, shares: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(shares).filter(([, share]) => share !== undefined);
  let sum = 0;
  for (const [, share] of entries) {
    if (typeof share !== "number" || !(share >= 0)) throw new FunctionFault("needs shares that are numbers and not negative");
    sum += share;
  }
  if (!(sum > 0) || !Number.isFinite(sum)) throw new FunctionFault("needs at least one share above 0");
  const point = (hash(key) / 2 ** 32) * sum;
  let passed = 0;
  for (const [name, share] of entries) {
    passed += share as number;
    if (point < passed) return name;
  }
  // Rounding of the sum can leave the last point uncovered.
  return entries.findLast(([, share]) => (share as number) > 0)?.[0] ?? "";
}

/** FNV-1a over UTF-8, mixed at the end as murmur3 does: keys that differ in one character land far apart. */
function hash(key: string): number {
  let value = 0x811c9dc5;
  for (const byte of encoder.encode(key)) value = Math.imul(value ^ byte, 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
