import type { CatalogueEntry } from "../diagnostics/catalogue-entry.ts";
import { diagnosticCatalogue } from "../diagnostics/catalogue.ts";

const families: readonly (readonly [string, string])[] = [
  ["1", "Reading"],
  ["2", "Shape"],
  ["3", "References, roles, values from outside"],
  ["4", "Expressions"],
  ["5", "Graphs"],
  ["6", "Plugins"],
  ["7", "Running"],
];

/** Writes the reference page of all diagnostics. */
export function diagnosticsPage(): string {
  const entries: readonly (readonly [string, CatalogueEntry])[] = Object.entries(diagnosticCatalogue);
  const parts = ["# Diagnostics", "Every code that `ditto validate` and its sisters can report. `ditto explain CODE` prints the same."];
  for (const [digit, title] of families) {
    parts.push(`## ${digit}xx ${title}`);
    for (const [code, entry] of entries) if (code[5] === digit) parts.push(section(code, entry));
  }
  return `${parts.join("\n\n")}\n`;
}

function section(code: string, entry: CatalogueEntry): string {
  const sentence = entry.sentence.replace(/<([a-z]+)>/gu, "*$1*");
  return [
    `### ${code}: ${entry.title}`,
    `${entry.severity === "error" ? "Error" : "Warning"}: ${sentence}`,
    entry.explanation,
    entry.wayOut,
    `Wrong:\n\n${example(entry.wrong)}`,
    `Right:\n\n${example(entry.right)}`,
  ].join("\n\n");
}

function example(text: string): string {
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => (line.length > 100 ? `${line.slice(0, 99)}…` : line));
  return `\`\`\`text\n${lines.join("\n")}\n\`\`\``;
}
