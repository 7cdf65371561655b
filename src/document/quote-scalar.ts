/**
 * Writes a one- or many-line piece of source text as a quoted YAML scalar that decodes to the same characters.
 *
 * Double quotes are taken where nothing in the text needs an escape there, single quotes otherwise.
 *
 * @param source Text as it would stand in a plain scalar: line breaks fold as they do there.
 * @returns The scalar with its quotes.
 */
export function quoteScalar(source: string): string {
  return /["\\]/u.test(source) ? `'${source.replaceAll("'", "''")}'` : `"${source}"`;
}
