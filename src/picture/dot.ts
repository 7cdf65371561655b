import { groupColors, groupOf } from "./part-colors.ts";
import type { Part, PartGraph } from "./part-graph.ts";

/** Draws a pipeline's parts in the DOT language of Graphviz. */
export function dot({ name, parts, edges }: PartGraph): string {
  const node = (part: Part): string => {
    const [border, fill] = groupColors[groupOf(part.kind)].light;
    const shape = part.kind === "connection" || part.kind === "collection" ? "cylinder" : "box";
    return `${quoted(part.id)} [label=${quoted(`${part.label}\n${part.detail}`)}, shape=${shape}, color=${quoted(border)}, fillcolor=${quoted(fill)}];`;
  };
  const graphs = [...new Set(parts.flatMap(({ graph }) => (graph === undefined ? [] : [graph])))];
  const lines = [
    `digraph ${quoted(name)} {`,
    "  rankdir=LR;",
    '  node [style="rounded,filled", fontname="sans-serif", fontsize=11];',
    '  edge [fontname="sans-serif", fontsize=9, color="#57606a"];',
    ...parts.filter(({ graph }) => graph === undefined).map((part) => `  ${node(part)}`),
    ...graphs.flatMap((graph) => [
      `  subgraph ${quoted(`cluster_${graph}`)} {`,
      `    label=${quoted(`graph ${graph}`)};`,
      ...parts.filter((part) => part.graph === graph).map((part) => `    ${node(part)}`),
      "  }",
    ]),
    ...edges.map(({ from, to, type, order }) => `  ${quoted(from)} -> ${quoted(to)} [label=${quoted(type)}${order === true ? ", style=dashed" : ""}];`),
    "}",
  ];
  return `${lines.join("\n")}\n`;
}

function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}
