/** One cell; an empty cell without quotes is absent, `""` is the empty text. */
export type CsvCell = string | undefined;

/**
 * Reads one CSV row as RFC 4180 has it: fields between commas, quotes around what holds commas, line ends or doubled quotes.
 *
 * @param text The row without its line end.
 * @returns The cells, or what is wrong with the row.
 */
export function parseCsvRow(text: string): { readonly cells: readonly CsvCell[] } | { readonly problem: string } {
  const cells: CsvCell[] = [];
  for (let at = 0; ; ) {
    if (text[at] === '"') {
      const end = closingQuote(text, at + 1);
      if (end < 0) return { problem: `the quote of column ${cells.length + 1} is never closed` };
      if (end + 1 < text.length && text[end + 1] !== ",") return { problem: `column ${cells.length + 1} goes on after its closing quote` };
      cells.push(text.slice(at + 1, end).replaceAll('""', '"'));
      at = end + 1;
    } else {
      const comma = text.indexOf(",", at);
      const end = comma < 0 ? text.length : comma;
      cells.push(end === at ? undefined : text.slice(at, end));
      at = end;
    }
    if (at >= text.length) return { cells };
    at += 1;
  }
}

function closingQuote(text: string, from: number): number {
  let end = text.indexOf('"', from);
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  return end;
}
