import { layoutParts, type PlacedEdge, type PlacedPart } from "./layout.ts";
import { groupColors, groupOf, type PartGroup } from "./part-colors.ts";
import type { PartGraph } from "./part-graph.ts";
import { escapeXml, pixel } from "./svg-text.ts";
import { inks, themedStyle } from "./theme.ts";

/**
 * Draws a pipeline's parts as an SVG image that follows the reader's light or dark setting.
 *
 * @param graph What {@link partGraph} made of a plan.
 * @param options `styled: false` leaves the rules to the page around it (see {@link pictureStyle}); true by default.
 * @returns One `svg` element; each part is a group with its id in `data-part`.
 */
export function svg(graph: PartGraph, { styled = true }: { readonly styled?: boolean | undefined } = {}): string {
  const { width, height, parts, edges } = layoutParts(graph);
  const [w, h] = [Math.ceil(width), Math.ceil(height)];
  const style = styled ? `<style>${pictureStyle()}</style>\n` : "";
  return `<svg xmlns="http://www.w3.org/2000/svg" class="ditto-picture" viewBox="0 0 ${w} ${h}" width="${w}" height="${h}" role="img" aria-label="${escapeXml(`The pipeline ${graph.name}`)}">
${style}<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M0 0 8 4 0 8z"/></marker></defs>
<rect class="back" width="${w}" height="${h}"/>
${edges.map(edgeLine).join("\n")}
${parts.map(partBox).join("\n")}
${edges.map(edgeText).join("\n")}
</svg>
`;
}

/** The rules of pictures of pipelines, for a page that holds them without their own. */
export function pictureStyle(): string {
  const groups = Object.keys(groupColors) as PartGroup[];
  return themedStyle(
    [
      "text{font:13px ui-sans-serif,system-ui,sans-serif;text-anchor:middle}",
      ".detail,.ditto-picture .type{font-size:10.5px}",
      "rect.part{stroke-width:1.5px}",
      ".line{fill:none;stroke-width:1.2px}",
      ".order{stroke-dasharray:4 3}",
    ],
    (mode) => [
      `.back{fill:${inks[mode].back}}`,
      `text{fill:${inks[mode].ink}}`,
      `.detail,.ditto-picture .type{fill:${inks[mode].faint}}`,
      `.line{stroke:${inks[mode].faint}}`,
      `.tip{fill:${inks[mode].faint}}`,
      ...groups.map((group) => `.${group}{stroke:${groupColors[group][mode][0]};fill:${groupColors[group][mode][1]}}`),
    ],
  );
}

function partBox({ part, x, y, width, height }: PlacedPart): string {
  const middle = pixel(x + width / 2);
  const detail = part.detail.length > 34 ? `${part.detail.slice(0, 33)}…` : part.detail;
  const radius = part.kind === "target" ? height / 2 : 6;
  const title = part.graph === undefined ? part.id : `graph ${part.graph}: ${part.label}`;
  return `<g data-part="${escapeXml(part.id)}"><title>${escapeXml(title)}</title><rect class="part ${groupOf(part.kind)}" x="${pixel(x)}" y="${pixel(y)}" width="${pixel(width)}" height="${height}" rx="${radius}"/><text x="${middle}" y="${pixel(y + 19)}">${escapeXml(part.label)}</text><text class="detail" x="${middle}" y="${pixel(y + 34)}">${escapeXml(detail)}</text></g>`;
}

/** Curves from point to point, level at each. */
function edgeLine({ points, order }: PlacedEdge): string {
  const [[startX, startY] = [0, 0], ...rest] = points;
  let path = `M${pixel(startX)} ${pixel(startY)}`;
  let [lastX, lastY] = [startX, startY];
  for (const [x, y] of rest) {
    const bend = (x - lastX) / 2;
    path += `C${pixel(lastX + bend)} ${pixel(lastY)} ${pixel(x - bend)} ${pixel(y)} ${pixel(x)} ${pixel(y)}`;
    [lastX, lastY] = [x, y];
  }
  return `<path class="line${order ? " order" : ""}" d="${path}" marker-end="url(#tip)"/>`;
}

function edgeText({ label, labelWidth, at: [x, y] }: PlacedEdge): string {
  const back = `<rect class="back" x="${pixel(x - labelWidth / 2)}" y="${pixel(y - 6.5)}" width="${pixel(labelWidth)}" height="13"/>`;
  return `${back}<text class="type" x="${pixel(x)}" y="${pixel(y + 3.5)}">${escapeXml(label)}</text>`;
}
