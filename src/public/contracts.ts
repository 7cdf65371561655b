/** Types and errors that every part shares. `export *` lets applications add nodes by declaration merging. */
export * from "../contracts/coded-error.ts";
export * from "../contracts/collection.ts";
export * from "../contracts/context.ts";
export * from "../contracts/context-services.ts";
export * from "../contracts/context-error.ts";
export * from "../contracts/json.ts";
export * from "../contracts/memory.ts";
export * from "../contracts/memory-error.ts";
export * from "../contracts/node-contract-map.ts";
export * from "../contracts/node-result.ts";
export * from "../contracts/retrieval.ts";
export * from "../contracts/retrieval-error.ts";
export * from "../contracts/runtime-client.ts";
export * from "../contracts/runtime-config.ts";
export * from "../contracts/trace.ts";
