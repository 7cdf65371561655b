import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { sidebar } from "../../docs/.vitepress/config.ts";
import { documentationPages } from "./code-blocks.ts";

const root = join(import.meta.dirname, "../..");
const pages = documentationPages(root);

it("the site's sidebar leads to every page, each once", () => {
  const linked = sidebar.flatMap(({ items = [] }) => items.map(({ link = "" }) => `docs${link}.md`));
  expect([...linked].sort()).toEqual(pages.filter((page) => page.startsWith("docs/") && page !== "docs/index.md"));
});

describe("links lead somewhere", () => {
  it.each(pages)("%s", (page) => {
    const text = readFileSync(join(root, page), "utf8").replaceAll(/^( *)(`{3,})[\s\S]*?^\1\2$/gmu, "");
    const dead = [...text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/gu)].flatMap(([, link = ""]) => (leads(page, link) ? [] : [link]));
    expect(dead).toEqual([]);
  });
});

function leads(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : join(dirname(page), path);
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || !target.endsWith(".md") || anchors(target).has(anchor);
}

/** The anchors that a heading gets, as code hosts and the site make them. */
function anchors(page: string): ReadonlySet<string> {
  const headings = readFileSync(join(root, page), "utf8").matchAll(/^#+ (.+)$/gmu);
  return new Set(
    [...headings].map(([, text = ""]) =>
      text
        .toLowerCase()
        .replaceAll(/[`*]|\[([^\]]*)\]\([^)]*\)/gu, "$1")
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replaceAll(/\s/gu, "-"),
    ),
  );
}
