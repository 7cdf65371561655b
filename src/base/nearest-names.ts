/**
 * Finds the names that somebody may have meant.
 *
 * Case, `-` and `_` do not count. An edit is an insertion, a deletion, a replacement or a swap of neighbours; near is what at most
 * two edits, or a third of the length, make equal. In names of three or four letters one edit is the most, below that none.
 *
 * @param name What was written.
 * @param candidates The names that exist.
 * @param options `limit`: at most so many names, 3 by default.
 * @returns The near names, nearest first, ties in the candidates' order; empty when none is near.
 * @example
 * ```ts
 * nearestNames("candidatLimit", ["candidateLimit", "search"]); // ["candidateLimit"]
 * ```
 */
export function nearestNames(name: string, candidates: Iterable<string>, options: { readonly limit?: number | undefined } = {}): readonly string[] {
  return rank(name, candidates)
    .slice(0, options.limit ?? 3)
    .map((entry) => entry.name);
}

/**
 * Finds the one name that somebody most likely meant.
 *
 * @param name What was written.
 * @param candidates The names that exist.
 * @returns The nearest name; undefined when none is near, or when two are equally near.
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  const [first, second] = rank(name, candidates);
  return first !== undefined && first.distance !== second?.distance ? first.name : undefined;
}

/** Tells whether one name is a slip of the other: at most two edits, case, `-` and `_` apart. Sure enough to repair it unasked. */
export function isSlip(name: string, other: string): boolean {
  return editDistance(plain(name), plain(other), 2) <= 2;
}

function rank(name: string, candidates: Iterable<string>): readonly { readonly name: string; readonly distance: number }[] {
  const wanted = plain(name);
  const near: { readonly name: string; readonly distance: number }[] = [];
  for (const candidate of new Set(candidates)) {
    if (candidate === name) continue;
    const other = plain(candidate);
    const allowed = allowedDistance(Math.max(wanted.length, other.length));
    const distance = editDistance(wanted, other, allowed);
    if (distance <= allowed) near.push({ name: candidate, distance });
  }
  return near.sort((a, b) => a.distance - b.distance);
}

/** What is compared: without case, `-` and `_`; of absurdly long names only the beginning. */
function plain(name: string): string {
  return name.slice(0, 100).toLowerCase().replace(/[-_]/gu, "");
}

function allowedDistance(length: number): number {
  if (length < 3) return 0;
  return length < 5 ? 1 : Math.max(2, Math.floor(length / 3));
}

/** Edits between two texts; whatever is above `most` comes out as some number above `most`. */
function editDistance(a: string, b: string, most: number): number {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (last[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const cost = Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, replaced);
      current.push(swapped ? Math.min(cost, (beforeLast[column - 2] ?? 0) + 1) : cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? most + 1;
}
