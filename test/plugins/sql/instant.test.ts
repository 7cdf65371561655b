import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instantKey } from "../../../plugins/sql/instant.ts";

describe("instantKey", () => {
  it("is equal for equal instants, however they are written", () => {
    const keys = ["2024-01-01T00:00:00Z", "2024-01-01T02:00:00+02:00", "2023-12-31T19:00:00.000-05:00", "2024-01-01t00:00:00.0z"].map((text) =>
      instantKey(text, "date-time"),
    );
    expect(new Set(keys)).toEqual(new Set(["2024-01-01T00:00:00"]));
    expect(instantKey("2024-01-01", "date")).toBe(keys[0]);
  });

  it("keeps every digit of a second's fraction", () => {
    const early = instantKey("2024-01-01T00:00:00.123456789012Z", "date-time") ?? "";
    const late = instantKey("2024-01-01T00:00:00.123456789013Z", "date-time") ?? "";
    expect(early < late).toBe(true);
  });

  it("orders as the instants do", () => {
    const moment = fc.date({ min: new Date("0001-01-02T00:00:00Z"), max: new Date("9998-12-30T00:00:00Z"), noInvalidDate: true });
    fc.assert(
      fc.property(moment, moment, fc.integer({ min: -14 * 60, max: 14 * 60 }), (a, b, minutes) => {
        const [first, second] = [instantKey(a.toISOString(), "date-time") ?? "", instantKey(withOffset(b, minutes), "date-time") ?? ""];
        expect(Math.sign(Number(first > second) - Number(first < second))).toBe(Math.sign(a.getTime() - b.getTime()));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["2024-02-30T00:00:00Z", "date-time"],
    ["2024-01-01T24:00:00Z", "date-time"],
    ["2024-01-01T00:00:00", "date-time"],
    ["2024-01-01", "date-time"],
    ["2024-01-01T00:00:00+25:00", "date-time"],
    ["2024-13-01", "date"],
    ["2024-01-01T00:00:00Z", "date"],
    ["0000-01-01T00:00:00+10:00", "date-time"],
    ["yesterday", "date-time"],
  ] as const)("refuses %s as %s", (text, format) => {
    expect(instantKey(text, format)).toBeUndefined();
  });
});

function withOffset(date: Date, minutes: number): string {
  const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1);
  const size = Math.abs(minutes);
  return `${local}${minutes < 0 ? "-" : "+"}${String(Math.floor(size / 60)).padStart(2, "0")}:${String(size % 60).padStart(2, "0")}`;
}
