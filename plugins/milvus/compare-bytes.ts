/** Compares texts as their bytes of UTF-8 do, which is the order of every backend. */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0;
  // Below the surrogates, units compare as bytes do.
  return high.test(a) || high.test(b) ? Buffer.compare(Buffer.from(a), Buffer.from(b)) : a < b ? -1 : 1;
}

const high = /[\uD800-\uFFFF]/;
