// Written by `npm run generate` from schema/nodes.
import type { JsonObject, JsonValue } from "../../src/contracts/json.ts";

export type MemoryGetInput = {
  readonly ids?: readonly string[] | undefined;
  readonly keys?: readonly string[] | undefined;
  /** The scope, for a store that has one. */
  readonly filter?: Record<string, unknown> | undefined;
};
export type MemoryGetOutput = readonly {
  readonly id: string;
  readonly key?: string | undefined;
  readonly content: unknown;
  readonly metadata?: Record<string, unknown> | undefined;
}[];
export type MemoryQueryInput = {
  readonly filter?: Record<string, unknown> | undefined;
  /** 1 to 10000, by default 100. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly orderBy?: readonly {
    readonly field: string;
    readonly direction?: "asc" | "desc" | undefined;
  }[] | undefined;
};
export type MemoryQueryOutput = {
  readonly items: readonly {
    readonly id: string;
    readonly key?: string | undefined;
    readonly content: unknown;
    readonly metadata?: Record<string, unknown> | undefined;
  }[];
  readonly nextCursor?: string | undefined;
};
export type MemorySearchInput = {
  readonly query: unknown;
  readonly strategy?: string | undefined;
  readonly filter?: Record<string, unknown> | undefined;
  /** 1 to 10000, by default 10. */
  readonly limit?: number | undefined;
  readonly options?: Record<string, unknown> | undefined;
};
export type MemorySearchOutput = readonly {
  readonly memory: {
    readonly id: string;
    readonly key?: string | undefined;
    readonly content: unknown;
    readonly metadata?: Record<string, unknown> | undefined;
  };
  readonly score?: number | undefined;
  readonly metadata?: Record<string, unknown> | undefined;
}[];
export type MemoryWriteInput = {
  readonly memories: readonly {
    readonly key?: string | undefined;
    readonly content: unknown;
    readonly metadata?: Record<string, unknown> | undefined;
  }[];
};
export type MemoryWriteOutput = readonly {
  readonly id: string;
  readonly key?: string | undefined;
  readonly content: unknown;
  readonly metadata?: Record<string, unknown> | undefined;
}[];
export type MemoryUpdateInput = {
  readonly memories: readonly {
    readonly id: string;
    readonly content?: unknown | undefined;
    readonly metadata?: Record<string, unknown> | undefined;
  }[];
  /** The scope, for a store that has one. */
  readonly filter?: Record<string, unknown> | undefined;
};
export type MemoryUpdateOutput = readonly {
  readonly id: string;
  readonly key?: string | undefined;
  readonly content: unknown;
  readonly metadata?: Record<string, unknown> | undefined;
}[];
export type MemoryDeleteInput = {
  readonly ids: readonly string[];
  /** The scope, for a store that has one. */
  readonly filter?: Record<string, unknown> | undefined;
};
export type MemoryDeleteOutput = {
  readonly deleted: readonly string[];
};
export type ContextLoadInput = {
  readonly sources: readonly ({
    readonly role: string;
    readonly content: JsonValue;
    readonly name?: string | undefined;
    readonly metadata?: JsonObject | undefined;
  } | {
    readonly uri: string;
    readonly title?: string | undefined;
    readonly mediaType?: string | undefined;
    readonly metadata?: JsonObject | undefined;
  } | {
    readonly id: string;
    readonly content: JsonValue;
    readonly source?: {
      readonly uri: string;
      readonly title?: string | undefined;
      readonly mediaType?: string | undefined;
      readonly metadata?: JsonObject | undefined;
    } | undefined;
    readonly metadata?: JsonObject | undefined;
  })[];
  readonly resolveReferences?: boolean | undefined;
  readonly scope?: {
    readonly sessionId?: string | undefined;
    readonly turnId?: string | undefined;
    readonly invocationId?: string | undefined;
  } | undefined;
};
export type ContextLoadOutput = {
  readonly items: readonly {
    readonly id: string;
    readonly content: JsonValue;
    readonly source?: {
      readonly uri: string;
      readonly title?: string | undefined;
      readonly mediaType?: string | undefined;
      readonly metadata?: JsonObject | undefined;
    } | undefined;
    readonly metadata?: JsonObject | undefined;
  }[];
};
export type ContextUpdateInput = ({
  readonly context: {
    readonly items: readonly {
      readonly id: string;
      readonly content: JsonValue;
      readonly source?: {
        readonly uri: string;
        readonly title?: string | undefined;
        readonly mediaType?: string | undefined;
        readonly metadata?: JsonObject | undefined;
      } | undefined;
      readonly metadata?: JsonObject | undefined;
    }[];
  };
  readonly removeIds?: readonly string[] | undefined;
  readonly add?: readonly {
    readonly id: string;
    readonly content: JsonValue;
    readonly source?: {
      readonly uri: string;
      readonly title?: string | undefined;
      readonly mediaType?: string | undefined;
      readonly metadata?: JsonObject | undefined;
    } | undefined;
    readonly metadata?: JsonObject | undefined;
  }[] | undefined;
  readonly ingress?: readonly {
    readonly id: string;
    readonly sourceNode: string;
    readonly content: JsonValue;
    readonly reference?: {
      readonly uri: string;
      readonly title?: string | undefined;
      readonly mediaType?: string | undefined;
      readonly metadata?: JsonObject | undefined;
    } | undefined;
    readonly metadata?: JsonObject | undefined;
  }[] | undefined;
} & { readonly scope?: undefined }) | ({
  readonly scope: {
    readonly sessionId?: string | undefined;
    readonly turnId?: string | undefined;
    readonly invocationId?: string | undefined;
  };
  readonly removeIds?: readonly string[] | undefined;
  readonly add?: readonly {
    readonly id: string;
    readonly content: JsonValue;
    readonly source?: {
      readonly uri: string;
      readonly title?: string | undefined;
      readonly mediaType?: string | undefined;
      readonly metadata?: JsonObject | undefined;
    } | undefined;
    readonly metadata?: JsonObject | undefined;
  }[] | undefined;
  readonly ingress?: readonly {
    readonly id: string;
    readonly sourceNode: string;
    readonly content: JsonValue;
    readonly reference?: {
      readonly uri: string;
      readonly title?: string | undefined;
      readonly mediaType?: string | undefined;
      readonly metadata?: JsonObject | undefined;
    } | undefined;
    readonly metadata?: JsonObject | undefined;
  }[] | undefined;
} & { readonly context?: undefined });
export type ContextUpdateOutput = {
  readonly items: readonly {
    readonly id: string;
    readonly content: JsonValue;
    readonly source?: {
      readonly uri: string;
      readonly title?: string | undefined;
      readonly mediaType?: string | undefined;
      readonly metadata?: JsonObject | undefined;
    } | undefined;
    readonly metadata?: JsonObject | undefined;
  }[];
};
export type ContextSelectInput = ({
  readonly context: {
    readonly items: readonly {
      readonly id: string;
      readonly content: JsonValue;
      readonly source?: {
        readonly uri: string;
        readonly title?: string | undefined;
        readonly mediaType?: string | undefined;
        readonly metadata?: JsonObject | undefined;
      } | undefined;
      readonly metadata?: JsonObject | undefined;
    }[];
  };
  readonly purpose: "infer" | "memory";
  readonly query?: string | undefined;
  readonly limit?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly strategy?: {
    readonly kind: "default";
  } | {
    readonly kind: "provider";
    readonly name: string;
    readonly options?: JsonObject | undefined;
  } | {
    readonly kind: "rag";
    readonly corpus?: JsonValue | undefined;
    readonly options?: JsonObject | undefined;
  } | undefined;
} & { readonly scope?: undefined }) | ({
  readonly scope: {
    readonly sessionId?: string | undefined;
    readonly turnId?: string | undefined;
    readonly invocationId?: string | undefined;
  };
  readonly purpose: "infer" | "memory";
  readonly query?: string | undefined;
  readonly limit?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly strategy?: {
    readonly kind: "default";
  } | {
    readonly kind: "provider";
    readonly name: string;
    readonly options?: JsonObject | undefined;
  } | {
    readonly kind: "rag";
    readonly corpus?: JsonValue | undefined;
    readonly options?: JsonObject | undefined;
  } | undefined;
} & { readonly context?: undefined });
export type ContextSelectOutput = {
  readonly purpose: "infer" | "memory";
  readonly context: {
    readonly items: readonly {
      readonly id: string;
      readonly content: JsonValue;
      readonly source?: {
        readonly uri: string;
        readonly title?: string | undefined;
        readonly mediaType?: string | undefined;
        readonly metadata?: JsonObject | undefined;
      } | undefined;
      readonly metadata?: JsonObject | undefined;
    }[];
  };
  readonly selectedItemIds: readonly string[];
};
export type ContextCompressInput = ({
  readonly context: {
    readonly items: readonly {
      readonly id: string;
      readonly content: JsonValue;
      readonly source?: {
        readonly uri: string;
        readonly title?: string | undefined;
        readonly mediaType?: string | undefined;
        readonly metadata?: JsonObject | undefined;
      } | undefined;
      readonly metadata?: JsonObject | undefined;
    }[];
  };
  readonly maxItems?: number | undefined;
  readonly maxTokens?: number | undefined;
} & { readonly scope?: undefined }) | ({
  readonly scope: {
    readonly sessionId?: string | undefined;
    readonly turnId?: string | undefined;
    readonly invocationId?: string | undefined;
  };
  readonly maxItems?: number | undefined;
  readonly maxTokens?: number | undefined;
} & { readonly context?: undefined });
export type ContextCompressOutput = {
  readonly items: readonly {
    readonly id: string;
    readonly content: JsonValue;
    readonly source?: {
      readonly uri: string;
      readonly title?: string | undefined;
      readonly mediaType?: string | undefined;
      readonly metadata?: JsonObject | undefined;
    } | undefined;
    readonly metadata?: JsonObject | undefined;
  }[];
};
export type RetrievalSearchInput = {
  readonly query: {
    readonly content: unknown;
    readonly metadata?: Record<string, unknown> | undefined;
  };
  readonly target: {
    readonly name: string;
    readonly type?: string | undefined;
    readonly namespace?: string | undefined;
    readonly metadata?: Record<string, unknown> | undefined;
  };
  readonly strategy?: string | undefined;
  readonly filter?: Record<string, unknown> | undefined;
  /** 1 to 10000, by default 10. */
  readonly limit?: number | undefined;
  readonly options?: Record<string, unknown> | undefined;
};
export type RetrievalSearchOutput = {
  readonly candidates: readonly {
    readonly id?: string | undefined;
    readonly content: unknown;
    readonly score?: number | undefined;
    readonly source?: {
      readonly target?: string | undefined;
      readonly ref?: string | undefined;
    } | undefined;
    readonly metadata?: Record<string, unknown> | undefined;
  }[];
  readonly strategy?: string | undefined;
  readonly target: {
    readonly name: string;
    readonly type?: string | undefined;
    readonly namespace?: string | undefined;
    readonly metadata?: Record<string, unknown> | undefined;
  };
  readonly metadata?: Record<string, unknown> | undefined;
};
