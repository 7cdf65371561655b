import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A fenced block of a page. */
export interface CodeBlock {
  /** The page, relative to the repository. */
  readonly page: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
  readonly language: string;
  /** What stands behind the language: `file=NAME` becomes `{ file: "NAME" }`, `run` becomes `{ run: "" }`. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * @param root The repository.
 * @returns The pages that people read, relative to it: the README, everything below `docs`, and the changes.
 */
export function documentationPages(root: string): readonly string[] {
  const docs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md") && !name.includes("node_modules"));
  return ["README.md", "CHANGELOG.md", ...docs.map((name) => join("docs", name)).sort()];
}

/**
 * @param root The repository.
 * @param page A page of {@link documentationPages}.
 * @returns Its fenced blocks, without the indentation of their fences.
 */
export function codeBlocks(root: string, page: string): readonly CodeBlock[] {
  const lines = readFileSync(join(root, page), "utf8").split("\n");
  const blocks: CodeBlock[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const opening = /^( *)(`{3,})(\w*) *(.*)$/u.exec(lines[index] as string);
    if (opening === null) continue;
    const [, indent = "", fence = "", language = "", info = ""] = opening;
    const end = lines.findIndex((line, at) => at > index && line.trimEnd() === `${indent}${fence}`);
    if (end < 0) throw new Error(`${page}:${index + 1}: the block is not closed`);
    const text = lines.slice(index + 1, end).map((line) => `${line.startsWith(indent) ? line.slice(indent.length) : line}\n`);
    blocks.push({ page, line: index + 1, language, attributes: attributesOf(info), text: text.join("") });
    index = end;
  }
  return blocks;
}

function attributesOf(info: string): Record<string, string> {
  const words = info.split(" ").filter((word) => word !== "");
  return Object.fromEntries(words.map((word) => [word.split("=", 1)[0], word.includes("=") ? word.slice(word.indexOf("=") + 1) : ""]));
}
