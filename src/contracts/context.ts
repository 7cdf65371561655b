import type { JsonObject, JsonValue } from "./json.ts";
import type { NodeContract } from "./node-contract-map.ts";

/** Content of a message or context item: finite, acyclic JSON. */
export type MessageContent = JsonValue;

/** A chat message. */
export interface Message {
  readonly role: string;
  readonly content: MessageContent;
  readonly name?: string | undefined;
  readonly metadata?: JsonObject | undefined;
}

/** A pointer to something outside. */
export interface Reference {
  readonly uri: string;
  readonly title?: string | undefined;
  readonly mediaType?: string | undefined;
  readonly metadata?: JsonObject | undefined;
}

/** One entry of the working set. */
export interface ContextItem {
  readonly id: string;
  readonly content: MessageContent;
  readonly source?: Reference | undefined;
  readonly metadata?: JsonObject | undefined;
}

/** The working set of one invocation or turn. */
export interface Context {
  readonly items: readonly ContextItem[];
}

/** What `CONTEXT.SELECT` chose. */
export interface ContextSelection {
  readonly purpose: "infer" | "memory";
  readonly context: Context;
  readonly selectedItemIds: readonly string[];
}

/** Names a cached context; at least one member is given. */
export interface ContextScope {
  readonly sessionId?: string | undefined;
  readonly turnId?: string | undefined;
  readonly invocationId?: string | undefined;
}

/** Something that came in from a node, for `CONTEXT.UPDATE`. */
export interface ContextIngress {
  readonly id: string;
  /** The node it came from; kept in the item's metadata. */
  readonly sourceNode: string;
  readonly content: MessageContent;
  readonly reference?: Reference | undefined;
  readonly metadata?: JsonObject | undefined;
}

/** Either a context given with the request, or one that the state store keeps. */
export type ContextLocation = { readonly context: Context; readonly scope?: undefined } | { readonly scope: ContextScope; readonly context?: undefined };

/** Input of `CONTEXT.LOAD`. With a `scope`, the result is also stored under it. */
export interface ContextLoadInput {
  readonly sources: readonly (Message | Reference | ContextItem)[];
  /** Fetches references through the `referenceResolver`; false by default. */
  readonly resolveReferences?: boolean | undefined;
  readonly scope?: ContextScope | undefined;
}

/** Input of `CONTEXT.UPDATE`: remove, then add, then ingress. */
export type ContextUpdateInput = ContextLocation & {
  readonly removeIds?: readonly string[] | undefined;
  readonly add?: readonly ContextItem[] | undefined;
  readonly ingress?: readonly ContextIngress[] | undefined;
};

/** How `CONTEXT.SELECT` chooses. */
export type ContextSelectStrategy =
  | { readonly kind: "default" }
  | { readonly kind: "provider"; readonly name: string; readonly options?: JsonObject | undefined }
  | { readonly kind: "rag"; readonly corpus?: JsonValue | undefined; readonly options?: JsonObject | undefined };

/** Input of `CONTEXT.SELECT`. */
export type ContextSelectInput = ContextLocation & {
  readonly purpose: "infer" | "memory";
  readonly query?: string | undefined;
  /** 0..1000000; may lower the policy's cap, never raise it. */
  readonly limit?: number | undefined;
  /** 0..1000000; may lower the policy's cap, never raise it. */
  readonly maxTokens?: number | undefined;
  readonly strategy?: ContextSelectStrategy | undefined;
};

/** Input of `CONTEXT.COMPRESS`. */
export type ContextCompressInput = ContextLocation & {
  /** 0..1000000; may lower the policy's cap, never raise it. */
  readonly maxItems?: number | undefined;
  /** 0..1000000; may lower the policy's cap, never raise it. */
  readonly maxTokens?: number | undefined;
};

declare module "./node-contract-map.ts" {
  interface NodeContractMap {
    "CONTEXT.LOAD": NodeContract<ContextLoadInput, Context>;
    "CONTEXT.UPDATE": NodeContract<ContextUpdateInput, Context>;
    "CONTEXT.SELECT": NodeContract<ContextSelectInput, ContextSelection>;
    "CONTEXT.COMPRESS": NodeContract<ContextCompressInput, Context>;
  }
}
