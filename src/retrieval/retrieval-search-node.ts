import { createNodeScaffold, type NodeScaffold } from "../worker/create-node-scaffold.ts";
import type {} from "../contracts/retrieval.ts";

/** The descriptor of `RETRIEVAL.SEARCH`; it registers nothing. */
export const retrievalSearchNode: NodeScaffold<"RETRIEVAL.SEARCH"> = createNodeScaffold("RETRIEVAL.SEARCH");
