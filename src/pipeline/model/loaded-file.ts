import type { MappingNode, SourceFile } from "../../document/document.ts";
import type { Place } from "./place.ts";

/** A file that was read and parsed. */
export interface LoadedFile {
  /** Absolute path. */
  readonly path: string;
  readonly file: SourceFile;
  readonly root: MappingNode;
  /** The files that it includes, with the place of each entry. */
  readonly includes: readonly { readonly place: Place; readonly path: string }[];
}
