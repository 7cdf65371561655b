import { describe, expect, it } from "vitest";
import { retryAfterMs } from "../../../src/retrieval/providers/retry-after.ts";

const now = Date.UTC(2026, 0, 1);

describe("retryAfterMs", () => {
  it.each<[string | null, number | undefined]>([
    ["0", 0],
    ["120", 120_000],
    [" 5 ", 5000],
    ["99999999999", 2_147_483_647],
    ["Thu, 01 Jan 2026 00:00:30 GMT", 30_000],
    ["Thursday, 01-Jan-26 00:00:30 GMT", 30_000],
    ["Wed, 31 Dec 2025 23:59:59 GMT", 0],
    ["Fri, 31 Dec 9999 23:59:59 GMT", 2_147_483_647],
    [null, undefined],
    ["", undefined],
    ["-5", undefined],
    ["1.5", undefined],
    ["1e3", undefined],
    ["soon", undefined],
    ["Mon", undefined],
    ["2026-01-02", undefined],
  ])("reads %j as %j", (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });
});
