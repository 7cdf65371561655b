/** Whether a file's name says that it is Markdown. */
export function isMarkdown(path: string): boolean {
  return /\.(?:md|markdown)$/iu.test(path);
}

/**
 * Finds the whole pipelines in a Markdown text: code fences of YAML that begin with a `version`.
 *
 * @param text The Markdown.
 * @returns For each fence the whole text with everything else blank, so that places in it are places in the file.
 */
export function pipelineFences(text: string): readonly string[] {
  const fences: string[] = [];
  for (const match of text.matchAll(/^[ \t]*(`{3,}|~{3,})[ \t]*ya?ml\b[^\n]*\n([\s\S]*?)^[ \t]*\1[`~]*[ \t]*\r?$/gimu)) {
    const [whole, , content = ""] = match;
    if (!/^[ \t]*version[ \t]*:/mu.test(content)) continue;
    const start = match.index + whole.indexOf("\n") + 1;
    fences.push(blank(text.slice(0, start)) + content + blank(text.slice(start + content.length)));
  }
  return fences;
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/gu, (unit) => " ".repeat(unit.length));
}
