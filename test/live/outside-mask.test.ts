import { describe, expect, it } from "vitest";
import { type OutsideMask, maskError, outsideMask } from "../../src/live/outside-mask.ts";
import type { PlanComponent } from "../../src/pipeline/model/plan.ts";

const secret = 's3cr3t"/pässword';

function maskOf(value: string, shown = "${env:KEY}"): OutsideMask {
  return outsideMask([{ outside: new Map([["/key", { shown, reveal: () => value }]]) } as unknown as PlanComponent]);
}

describe("what is masked", () => {
  it.each([
    ["as it is", secret],
    ["in JSON", JSON.stringify({ secret })],
    ["in an address", `http://host/${encodeURIComponent(secret)}`],
    ["in base64", Buffer.from(secret).toString("base64")],
  ])("a value from outside %s", (_, text) => {
    expect(maskOf(secret)(text)).toContain("${env:KEY}");
    expect(maskOf(secret)(text)).not.toContain("cr3t");
  });

  it.each(["", "u", "us", "use", "user:"])("its base64 behind %j, as in a login", (user) => {
    for (const tail of ["", ":", "::"]) {
      const sent = Buffer.from(`${user}${secret}${tail}`).toString("base64");
      const seen = maskOf(secret)(`Basic ${sent}`);
      expect(seen).toContain("${env:KEY}");
      expect(Buffer.from(seen.slice("Basic ".length).replaceAll("${env:KEY}", ""), "base64").toString()).not.toContain("cr3t");
    }
  });

  it("only the part that stands for it", () => {
    expect(maskOf(`Bearer ${secret}`, "Bearer ${env:KEY}")(`sent ${secret}`)).toBe("sent Bearer ${env:KEY}");
  });
});

describe("errors", () => {
  const mask = maskOf(secret);

  it("are masked with all of their causes, whatever they are, and keep what they are", () => {
    const error = Object.assign(new TypeError(`no ${secret}`, { cause: new AggregateError([new Error(secret), secret], "many") }), { code: "E" });
    const masked = maskError(error, mask) as TypeError & { readonly code: string; readonly cause: AggregateError };
    expect(masked).toBeInstanceOf(TypeError);
    expect([masked.message, masked.code]).toEqual(["no ${env:KEY}", "E"]);
    expect(masked.stack).not.toContain("cr3t");
    expect(masked.cause.errors.map((each: unknown) => (each instanceof Error ? each.message : each))).toEqual(["${env:KEY}", "${env:KEY}"]);
    expect(error.message).toContain(secret);
  });

  it("that cause themselves end", () => {
    const error = new Error(secret);
    error.cause = error;
    expect((maskError(error, mask) as Error).message).toBe("${env:KEY}");
  });

  it("without anything to mask stay the same object", () => {
    const error = new Error("plain", { cause: new Error("also") });
    expect(maskError(error, mask)).toBe(error);
  });
});
