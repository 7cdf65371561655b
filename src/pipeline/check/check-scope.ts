import type { JsonSchema } from "../../contracts/json-schema.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { DocumentNode, SourceFile } from "../../document/document.ts";
import type { ExpressionFunction } from "../../expression/expression-function.ts";
import type { KindRegistry } from "../../plugin/kind-registry.ts";
import type { ExpressionPart } from "../model/template.ts";

/** What every part of the checking shares. */
export interface CheckScope {
  readonly registry: KindRegistry;
  readonly functions: ReadonlyMap<string, ExpressionFunction>;
  readonly report: (diagnostic: Diagnostic) => void;
  /** Told of expressions whose result only a value can prove to fit, with what it must meet. */
  readonly atRunTime: (part: ExpressionPart, expected: JsonSchema) => void;
  /** Told the root names that expressions read. */
  readonly uses: (name: string) => void;
  /** The schema of `vars` in a file. */
  readonly varsSchema: (file: SourceFile) => JsonSchema;
  /** Whether the Sandbox lets requests go to an origin. */
  readonly allowsOrigin: (origin: string) => boolean;
  /** Whether a worker of this file, or one it names, serves a node. */
  readonly serves: (node: string) => boolean;
  /** Follows a graph node's `worker`. */
  readonly worker: (node: DocumentNode | undefined, at: { readonly node: string | undefined; readonly file: SourceFile }) => string | undefined;
}
