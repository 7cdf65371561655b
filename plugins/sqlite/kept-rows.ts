import { type KeptRow, toKeptRow } from "../sql/collection/collection-reader.ts";
import { type LookUp, lookUp } from "../sql/collection/look-up.ts";
import type { CollectionCore } from "./collection-core.ts";
import type { Writer } from "./sqlite-executor.ts";

/** Looks rows up inside a writing transaction. */
export function lookUpNow(writer: Writer, core: CollectionCore, scope: string, by: LookUp): readonly KeptRow[] {
  return lookUp(core, scope, by).flatMap((each) => writer.all(each).map(toKeptRow));
}
