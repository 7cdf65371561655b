import type { FaultKind } from "../sql/collection-fault.ts";
import type { Statement } from "../sql/sql.ts";
import type { NearestRequest } from "./sqlite-executor.ts";

/** What a thread is started with. */
export interface ThreadData {
  /** Absolute path. */
  readonly file: string;
  /** The file as the pipeline names it, for messages. */
  readonly shown: string;
}

/** What a thread reads; plain data. */
export type ReadTask =
  | { readonly kind: "read"; readonly statements: readonly Statement[] }
  | { readonly kind: "nearest"; readonly request: NearestRequest }
  | { readonly kind: "written"; readonly text: string; readonly values: readonly unknown[] };

/** From the thread: one answer for each task, in their order. */
export type ReadAnswer = { readonly rows: unknown } | { readonly fault: { readonly kind: FaultKind; readonly message: string } } | { readonly failure: Error };
