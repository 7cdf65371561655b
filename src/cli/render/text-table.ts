import { displayWidth } from "../../base/display-width.ts";
import { padToWidth } from "./cut-to-width.ts";
import type { Paint } from "./paint.ts";

/** Draws a table for people: the first row is a header, the first column names its row, the others are numbers. */
export function textTable(rows: readonly (readonly string[])[], { paint }: { readonly paint: Paint }): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => displayWidth(row[column] ?? ""))));
  return rows
    .map((row, index) => {
      const cells = row.map((cell, column) => (column === 0 ? padToWidth(cell, widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)));
      const line = cells.join("  ").trimEnd();
      return `${index === 0 ? paint("dim", line) : line}\n`;
    })
    .join("");
}
