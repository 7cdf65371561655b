import type { JsonSchema } from "../src/contracts/json-schema.ts";
import { contextNodes } from "./nodes/context-nodes.ts";
import { memoryNodes } from "./nodes/memory-nodes.ts";
import { retrievalNodes } from "./nodes/retrieval-nodes.ts";

/** A node as graphs are checked against it. */
export interface NodeSchema {
  readonly description: string;
  readonly input: JsonSchema;
  /** What an expression sees after success: a MEMORY or RETRIEVAL node's envelope, a CONTEXT node's data. */
  readonly output: JsonSchema;
}

/** The nodes that the package itself serves, by name. */
export const nodeSchemas: Readonly<Record<string, NodeSchema>> = { ...memoryNodes, ...contextNodes, ...retrievalNodes };
