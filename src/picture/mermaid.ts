import { groupColors, groupOf, type PartGroup } from "./part-colors.ts";
import type { Part, PartGraph } from "./part-graph.ts";

/** Draws a pipeline's parts as a Mermaid flowchart. */
export function mermaid({ parts, edges }: PartGraph): string {
  const names = new Map(parts.map((part, index) => [part.id, `p${index}`]));
  const shape = (part: Part): string => {
    const text = `${escaped(part.label)}<br/><small>${escaped(part.detail)}</small>`;
    return part.kind === "connection" || part.kind === "collection"
      ? `${names.get(part.id)}[("${text}")]`
      : part.kind === "target"
        ? `${names.get(part.id)}(["${text}"])`
        : `${names.get(part.id)}["${text}"]`;
  };
  const graphs = [...new Set(parts.flatMap(({ graph }) => (graph === undefined ? [] : [graph])))];
  const groups = new Map<PartGroup, string[]>();
  for (const part of parts) groups.set(groupOf(part.kind), [...(groups.get(groupOf(part.kind)) ?? []), names.get(part.id) ?? ""]);
  const lines = [
    "flowchart LR",
    ...parts.filter(({ graph }) => graph === undefined).map((part) => `  ${shape(part)}`),
    ...graphs.flatMap((graph) => [
      `  subgraph g_${graph.replaceAll("-", "_")}["graph ${escaped(graph)}"]`,
      ...parts.filter((part) => part.graph === graph).map((part) => `    ${shape(part)}`),
      "  end",
    ]),
    ...edges.map(({ from, to, type, order }) => `  ${names.get(from)} ${order === true ? "-.->" : "-->"}|"${escaped(type)}"| ${names.get(to)}`),
    ...[...groups].flatMap(([group, members]) => {
      const [border] = groupColors[group].light;
      return [`  classDef ${group}-part stroke:${border},stroke-width:1.5px`, `  class ${members.join(",")} ${group}-part`];
    }),
  ];
  return `${lines.join("\n")}\n`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"#;|{}[\]()`]/gu, (unit) => `#${unit.codePointAt(0)};`);
}
