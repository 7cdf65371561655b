import { createNodeScaffold, type NodeScaffold } from "../create-node-scaffold.ts";

/** Descriptors of the six nodes: `.type` is the node's name, `.define` binds another handler to it. */
export const memoryGetNode: NodeScaffold<"MEMORY.GET"> = createNodeScaffold("MEMORY.GET");
export const memoryQueryNode: NodeScaffold<"MEMORY.QUERY"> = createNodeScaffold("MEMORY.QUERY");
export const memorySearchNode: NodeScaffold<"MEMORY.SEARCH"> = createNodeScaffold("MEMORY.SEARCH");
export const memoryWriteNode: NodeScaffold<"MEMORY.WRITE"> = createNodeScaffold("MEMORY.WRITE");
export const memoryUpdateNode: NodeScaffold<"MEMORY.UPDATE"> = createNodeScaffold("MEMORY.UPDATE");
export const memoryDeleteNode: NodeScaffold<"MEMORY.DELETE"> = createNodeScaffold("MEMORY.DELETE");
