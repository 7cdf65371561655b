import type { PartKind } from "./part-graph.ts";

/** Groups of parts that are drawn alike. */
export type PartGroup = "resource" | "search" | "target" | "worker" | "graph" | "ingest";

/** The group of a kind of part. */
export function groupOf(kind: PartKind): PartGroup {
  switch (kind) {
    case "search":
    case "reranker":
    case "call":
      return "search";
    case "target":
    case "ingest":
      return kind;
    case "memory":
    case "context":
    case "worker":
      return "worker";
    case "input":
    case "output":
    case "node":
    case "value":
      return "graph";
    default:
      return "resource";
  }
}

/** Border and background of each group, on light and on dark. */
export const groupColors: Readonly<
  Record<PartGroup, { readonly light: readonly [border: string, fill: string]; readonly dark: readonly [border: string, fill: string] }>
> = {
  resource: { light: ["#57606a", "#f3f4f6"], dark: ["#8b949e", "#21262d"] },
  search: { light: ["#0969da", "#e7f2ff"], dark: ["#58a6ff", "#0d2440"] },
  target: { light: ["#1a7f37", "#e6f6ea"], dark: ["#3fb950", "#0f2a17"] },
  worker: { light: ["#8250df", "#f3ecfd"], dark: ["#a371f7", "#271a3d"] },
  graph: { light: ["#9a6700", "#fff6dd"], dark: ["#d29922", "#2e2408"] },
  ingest: { light: ["#bc4c00", "#fff0e6"], dark: ["#f0883e", "#331c0b"] },
};
