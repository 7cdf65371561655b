import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { exportedNames } from "./exported-names.ts";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/reach.md"), "utf8");
const named = new Set([...page.matchAll(/`([A-Za-z]+(?:\.[A-Za-z]+)?)`/g)].map((match) => match[1]));
const entries = ["retrieval", "retrieval-adapters-memory", "retrieval-adapters-context", "worker-memory", "worker-context"];

it.each(entries)("docs/reach.md maps every name and option of %s", (entry) => {
  const missing = exportedNames(join(root, `src/public/${entry}.ts`)).flatMap(({ name, members }) =>
    members.length === 0 ? (named.has(name) ? [] : [name]) : members.map((member) => `${name}.${member}`).filter((option) => !named.has(option)),
  );
  expect(missing).toEqual([]);
});

it("docs/reach.md names no option that does not exist", () => {
  const known = new Set(
    entries.flatMap((entry) =>
      exportedNames(join(root, `src/public/${entry}.ts`)).flatMap(({ name, members }) => [name, ...members.map((member) => `${name}.${member}`)]),
    ),
  );
  const stale = [...named].filter(
    (name) => /^[A-Z][A-Za-z]+(Options|Branch|Services|Stages|Config|Defaults|Policy|Resources)\./.test(String(name)) && !known.has(String(name)),
  );
  expect(stale).toEqual([]);
});

it("every application-only name is listed with its reason", () => {
  const [tables = "", reasons = ""] = page.split("## What a file cannot say");
  const marked = tables
    .split("\n")
    .filter((line) => line.includes("| application only"))
    .flatMap((line) => [...(line.split("|")[1] ?? "").matchAll(/`([A-Za-z]+\.[A-Za-z]+)`/g)].map((match) => match[1]));
  expect(marked.length).toBeGreaterThan(0);
  expect(marked.filter((name) => !reasons.includes(`\`${name}\``))).toEqual([]);
});
