import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

const folder = join(import.meta.dirname, "../../dist/inspector");

it("the page is small, and nothing in it is inline or from elsewhere", () => {
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
  expect(files.reduce((sum, file) => sum + gzipSync(file).length, 0)).toBeLessThan(150 * 1024);
  for (const file of files) expect(file.toString("utf8").replaceAll("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:\/\//u);
  const html = readFileSync(join(folder, "index.html"), "utf8");
  expect(html).not.toMatch(/<style|style="|<script(?![^>]*src=)|\son\w+=/u);
});
