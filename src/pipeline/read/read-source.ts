import { readFileSync } from "node:fs";
import { relative } from "node:path";
import type { SourceFile, Span } from "../../document/document.ts";
import { createDiagnostic, type Diagnostic } from "../../diagnostics/diagnostic.ts";

/** Where a file is named, for the diagnostic of one that cannot be read. */
export interface NamedAt {
  readonly file: SourceFile;
  readonly span: Span;
}

/**
 * Reads a text file.
 *
 * @param path Absolute path.
 * @param namedAt The `include` that names it; without one the diagnostic stands at the file's own start.
 * @returns The file, its path as people are shown it; or why it cannot be read.
 */
export function readSource(path: string, namedAt?: NamedAt): { readonly file: SourceFile } | { readonly diagnostic: Diagnostic } {
  const shown = shownPath(path);
  const at = namedAt ?? { file: { path: shown, text: "" }, span: { start: 0, end: 0 } };
  let bytes: Uint8Array;
  try {
    // A pipeline file is small, and asking the thread pool for it costs more than reading it.
    bytes = readFileSync(path);
  } catch (error) {
    return { diagnostic: createDiagnostic("DITTO116", { ...at, arguments: { path: shown, reason: readFault(error) } }) };
  }
  try {
    return { file: { path: shown, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes) } };
  } catch {
    return { diagnostic: createDiagnostic("DITTO119", { file: { path: shown, text: "" }, span: { start: 0, end: 0 }, arguments: {} }) };
  }
}

/** A path as people are shown it: relative to the working directory where it is below it. */
export function shownPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short === "" || short.startsWith("..") ? path : short;
}

function readFault(error: unknown): string {
  switch ((error as { readonly code?: unknown }).code) {
    case "ENOENT":
    case "ENOTDIR":
      return "it does not exist";
    case "EISDIR":
      return "it is a folder";
    case "EACCES":
    case "EPERM":
      return "reading it is not permitted";
    default:
      return "the system refuses";
  }
}
