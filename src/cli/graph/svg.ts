import { layoutParts, type PlacedEdge, type PlacedPart } from "./layout.ts";
import { groupColors, groupOf, type PartGroup } from "./part-colors.ts";
import type { PartGraph } from "./part-graph.ts";

/** Draws a pipeline's parts as an SVG image that follows the reader's light or dark setting. */
export function svg(graph: PartGraph): string {
  const { width, height, parts, edges } = layoutParts(graph);
  const [w, h] = [Math.ceil(width), Math.ceil(height)];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" width="${w}" height="${h}" role="img" aria-label="${escaped(`The pipeline ${graph.name}`)}">
<style>${style()}</style>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>
<rect class="back" width="${w}" height="${h}"/>
${edges.map(edgeLine).join("\n")}
${parts.map(partBox).join("\n")}
${edges.map(edgeText).join("\n")}
</svg>
`;
}

function style(): string {
  const groups = Object.keys(groupColors) as PartGroup[];
  const rules = (mode: "light" | "dark"): string =>
    groups.map((group) => `.${group}{stroke:${groupColors[group][mode][0]};fill:${groupColors[group][mode][1]}}`).join("");
  const inks = { light: { back: "#ffffff", ink: "#1f2328", faint: "#57606a" }, dark: { back: "#0d1117", ink: "#e6edf3", faint: "#8b949e" } };
  const base = (mode: "light" | "dark"): string =>
    `.back{fill:${inks[mode].back}}text{fill:${inks[mode].ink}}.detail,.type{fill:${inks[mode].faint}}.line{stroke:${inks[mode].faint}}#tip path{fill:${inks[mode].faint}}`;
  return (
    "text{font:13px ui-sans-serif,system-ui,sans-serif;text-anchor:middle}.detail,.type{font-size:10.5px}" +
    "rect.part{stroke-width:1.5px}.line{fill:none;stroke-width:1.2px}.order{stroke-dasharray:4 3}" +
    `${base("light")}${rules("light")}@media(prefers-color-scheme:dark){${base("dark")}${rules("dark")}}`
  );
}

function partBox({ part, x, y, width, height }: PlacedPart): string {
  const middle = round(x + width / 2);
  const detail = part.detail.length > 34 ? `${part.detail.slice(0, 33)}…` : part.detail;
  const radius = part.kind === "target" ? height / 2 : 6;
  const title = part.graph === undefined ? part.id : `graph ${part.graph}: ${part.label}`;
  return `<g><title>${escaped(title)}</title><rect class="part ${groupOf(part.kind)}" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${height}" rx="${radius}"/><text x="${middle}" y="${round(y + 19)}">${escaped(part.label)}</text><text class="detail" x="${middle}" y="${round(y + 34)}">${escaped(detail)}</text></g>`;
}

/** Curves from point to point, level at each. */
function edgeLine({ points, order }: PlacedEdge): string {
  const [[startX, startY] = [0, 0], ...rest] = points;
  let path = `M${round(startX)} ${round(startY)}`;
  let [lastX, lastY] = [startX, startY];
  for (const [x, y] of rest) {
    const bend = (x - lastX) / 2;
    path += `C${round(lastX + bend)} ${round(lastY)} ${round(x - bend)} ${round(y)} ${round(x)} ${round(y)}`;
    [lastX, lastY] = [x, y];
  }
  return `<path class="line${order ? " order" : ""}" d="${path}" marker-end="url(#tip)"/>`;
}

function edgeText({ label, labelWidth, at: [x, y] }: PlacedEdge): string {
  const back = `<rect class="back" x="${round(x - labelWidth / 2)}" y="${round(y - 6.5)}" width="${round(labelWidth)}" height="13"/>`;
  return `${back}<text class="type" x="${round(x)}" y="${round(y + 3.5)}">${escaped(label)}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
