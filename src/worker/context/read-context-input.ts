import type { ContextItem, ContextSelectStrategy } from "../../contracts/context.ts";
import type { ReadLocation } from "./context-state.ts";
import type { ContextValueReader } from "./context-value-reader.ts";

/** `CONTEXT.UPDATE` as read: ingress entries are items already. */
export interface ReadUpdateInput {
  readonly location: ReadLocation;
  readonly removeIds: readonly string[];
  readonly add: readonly ContextItem[];
  readonly ingress: readonly ContextItem[];
}

/** `CONTEXT.SELECT` as read. */
export interface ReadSelectInput {
  readonly location: ReadLocation;
  readonly purpose: "infer" | "memory";
  readonly query: string | undefined;
  readonly limit: number | undefined;
  readonly maxTokens: number | undefined;
  readonly strategy: ContextSelectStrategy;
}

/** `CONTEXT.COMPRESS` as read. */
export interface ReadCompressInput {
  readonly location: ReadLocation;
  readonly maxItems: number | undefined;
  readonly maxTokens: number | undefined;
}

/** @throws ContextError `INVALID_INPUT`, `DUPLICATE_ITEM`, `INLINE_LIMIT_EXCEEDED` */
export function readUpdateInput(value: unknown, reader: ContextValueReader): ReadUpdateInput {
  const input = reader.object(value, "input", ["context", "scope", "removeIds", "add", "ingress"]);
  const { removeIds = [], add = [], ingress = [] } = input;
  return {
    location: readLocation(input, reader),
    removeIds: reader.array(removeIds, "removeIds").map((id, index) => reader.text(id, `removeIds[${index}]`)),
    add: reader.array(add, "add").map((item, index) => reader.item(item, `add[${index}]`)),
    ingress: reader.array(ingress, "ingress").map((entry, index) => readIngress(entry, `ingress[${index}]`, reader)),
  };
}

function readIngress(value: unknown, at: string, reader: ContextValueReader): ContextItem {
  const entry = reader.object(value, at, ["id", "sourceNode", "content", "reference", "metadata"]);
  const sourceNode = reader.text(entry.sourceNode, `${at}.sourceNode`);
  return reader.makeItem(
    {
      id: reader.text(entry.id, `${at}.id`),
      content: reader.content(entry.content, `${at}.content`),
      source: entry.reference === undefined ? undefined : reader.reference(entry.reference, `${at}.reference`),
      metadata: Object.freeze({ ...reader.optionalJsonObject(entry.metadata, `${at}.metadata`), sourceNode }),
    },
    at,
  );
}

/** @throws ContextError `INVALID_INPUT`, `DUPLICATE_ITEM`, `INLINE_LIMIT_EXCEEDED` */
export function readSelectInput(value: unknown, reader: ContextValueReader): ReadSelectInput {
  const input = reader.object(value, "input", ["context", "scope", "purpose", "query", "limit", "maxTokens", "strategy"]);
  const { purpose, query } = input;
  if (purpose !== "infer" && purpose !== "memory") return reader.refuse("purpose must be infer or memory");
  return {
    location: readLocation(input, reader),
    purpose,
    query: query === undefined ? undefined : reader.string(query, "query"),
    limit: readCap(input.limit, "limit", reader),
    maxTokens: readCap(input.maxTokens, "maxTokens", reader),
    strategy: readStrategy(input.strategy, reader),
  };
}

function readStrategy(value: unknown, reader: ContextValueReader): ContextSelectStrategy {
  if (value === undefined) return { kind: "default" };
  const strategy = reader.object(value, "strategy", ["kind", "name", "options", "corpus"]);
  const options = strategy.options === undefined ? undefined : { options: reader.jsonObject(strategy.options, "strategy.options") };
  switch (strategy.kind) {
    case "default":
      reader.object(value, "strategy", ["kind"]);
      return Object.freeze({ kind: "default" });
    case "provider":
      reader.object(value, "strategy", ["kind", "name", "options"]);
      return Object.freeze({ kind: "provider", name: reader.text(strategy.name, "strategy.name"), ...options });
    case "rag": {
      reader.object(value, "strategy", ["kind", "corpus", "options"]);
      const corpus = strategy.corpus === undefined ? undefined : { corpus: reader.content(strategy.corpus, "strategy.corpus") };
      return Object.freeze({ kind: "rag", ...corpus, ...options });
    }
    default:
      return reader.refuse("strategy.kind must be default, provider or rag");
  }
}

/** @throws ContextError `INVALID_INPUT`, `DUPLICATE_ITEM`, `INLINE_LIMIT_EXCEEDED` */
export function readCompressInput(value: unknown, reader: ContextValueReader): ReadCompressInput {
  const input = reader.object(value, "input", ["context", "scope", "maxItems", "maxTokens"]);
  return {
    location: readLocation(input, reader),
    maxItems: readCap(input.maxItems, "maxItems", reader),
    maxTokens: readCap(input.maxTokens, "maxTokens", reader),
  };
}

function readLocation(input: Record<string, unknown>, reader: ContextValueReader): ReadLocation {
  if ((input.context === undefined) === (input.scope === undefined)) return reader.refuse("input needs either context or scope");
  if (input.scope !== undefined) return { scope: reader.scope(input.scope, "scope") };
  return { context: reader.context(input.context, "context") };
}

function readCap(value: unknown, at: string, reader: ContextValueReader): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > 1_000_000) {
    return reader.refuse(`${at} must be an integer from 0 to 1000000`);
  }
  return value;
}
