import fc from "fast-check";
import { expect, it } from "vitest";
import type { CollectionFault } from "../../../plugins/sql/collection-fault.ts";
import { decodeCursor, encodeCursor, queryDigest } from "../../../plugins/sql/cursor.ts";
import { parseOrder } from "../../../plugins/sql/order.ts";

const terms = parseOrder([{ field: "n", direction: "desc" }], new Map([["n", { scalar: "number", list: false }]]));

function kindOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as CollectionFault).kind;
  }
  return "none";
}

it("gives back the position that it keeps", () => {
  fc.assert(
    fc.property(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(null)), fc.string({ minLength: 1 }), (n, id) => {
      const digest = queryDigest(["kb", "", [], terms]);
      expect(decodeCursor(encodeCursor(digest, [n === 0 ? 0 : n, id]), digest, terms)).toEqual([n === 0 ? 0 : n, id]);
    }),
  );
});

it("belongs to one query", () => {
  const cursor = encodeCursor(queryDigest({ filter: 1 }), [1, "a"]);
  expect(kindOf(() => decodeCursor(cursor, queryDigest({ filter: 2 }), terms))).toBe("cursor");
});

it("is refused when it is none", () => {
  const digest = queryDigest(1);
  for (const cursor of [
    "",
    "x",
    "e30",
    encodeCursor(digest, [1]),
    encodeCursor(digest, [1, null]),
    encodeCursor(digest, ["1", "a"]),
    encodeCursor(digest, [1, "a", 2]),
  ]) {
    expect(kindOf(() => decodeCursor(cursor, digest, terms))).toBe("cursor");
  }
});
