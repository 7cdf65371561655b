import type { SourceFile, Span } from "../../document/document.ts";

/** Where something stands in a file. */
export interface Place {
  readonly file: SourceFile;
  readonly span: Span;
}
