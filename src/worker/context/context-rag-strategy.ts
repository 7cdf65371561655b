/** The port itself is a contract, since adapters of other rooms implement it. */
export type { ContextCallOptions, ContextRagStrategy, ContextSelectRequest } from "../../contracts/context-services.ts";
