/** The input and output types of one node. */
export interface NodeContract<Input, Output> {
  readonly input: Input;
  readonly output: Output;
}

/**
 * Every known node by its name. Workers and applications add theirs by declaration merging.
 *
 * @example
 * ```ts
 * declare module "@codesoul-co/ditto/contracts" {
 *   interface NodeContractMap {
 *     "TEXT.SHOUT": NodeContract<{ text: string }, string>;
 *   }
 * }
 * ```
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by declaration merging.
export interface NodeContractMap {}

/** The name of a known node. */
export type NodeType = Extract<keyof NodeContractMap, string>;

/** What a node takes. */
export type InputOf<N extends NodeType> = NodeContractMap[N] extends NodeContract<infer Input, unknown> ? Input : never;

/** What a node returns. */
export type OutputOf<N extends NodeType> = NodeContractMap[N] extends NodeContract<infer _, infer Output> ? Output : never;
