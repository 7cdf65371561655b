import { createNodeScaffold, type NodeScaffold } from "../create-node-scaffold.ts";

/** Descriptors of the four nodes: `.type` is the node's name, `.define` binds another handler to it. */
export const contextLoadNode: NodeScaffold<"CONTEXT.LOAD"> = createNodeScaffold("CONTEXT.LOAD");
export const contextUpdateNode: NodeScaffold<"CONTEXT.UPDATE"> = createNodeScaffold("CONTEXT.UPDATE");
export const contextSelectNode: NodeScaffold<"CONTEXT.SELECT"> = createNodeScaffold("CONTEXT.SELECT");
export const contextCompressNode: NodeScaffold<"CONTEXT.COMPRESS"> = createNodeScaffold("CONTEXT.COMPRESS");
