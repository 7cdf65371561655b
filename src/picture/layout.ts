import { displayWidth } from "../base/display-width.ts";
import type { Part, PartGraph } from "./part-graph.ts";

/** A part with its place; pixels from the upper left corner. */
export interface PlacedPart {
  readonly part: Part;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** An edge as a line through points, and where its text stands. */
export interface PlacedEdge {
  readonly points: readonly (readonly [x: number, y: number])[];
  readonly label: string;
  readonly labelWidth: number;
  readonly at: readonly [x: number, y: number];
  readonly order: boolean;
}

/** A drawing. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly parts: readonly PlacedPart[];
  readonly edges: readonly PlacedEdge[];
}

const characterWidth = 7;
const labelWidth = 6.2;
const labelHeight = 13;
const partHeight = 44;
const rowGap = 22;
const margin = 24;
/** How often layers are ordered by their neighbours, there and back. */
const sweeps = 8;

/** A part, or the place where an edge crosses a layer. */
interface Cell {
  readonly id: string;
  readonly layer: number;
  readonly width: number;
  readonly height: number;
  readonly part: Part | undefined;
}

/**
 * Lays parts out in layers from left to right: each behind everything that it gets something from; long edges bend around what is between.
 *
 * @param graph Parts and edges without circles.
 */
export function layoutParts({ parts, edges }: PartGraph): Layout {
  const layerOf = layers(parts, edges);
  const cells = parts.map((part): Cell => ({ id: part.id, layer: layerOf.get(part.id) ?? 0, width: partWidth(part), height: partHeight, part }));
  const links: (readonly [from: string, to: string])[] = [];
  const routes = edges.map(({ from, to }, index) => {
    const [first, last] = [layerOf.get(from) ?? 0, layerOf.get(to) ?? 0];
    const bends = Array.from(
      { length: Math.max(0, last - first - 1) },
      (_, step): Cell => ({ id: `${index}:${step}`, layer: first + step + 1, width: 0, height: 14, part: undefined }),
    );
    cells.push(...bends);
    const route = [from, ...bends.map(({ id }) => id), to];
    for (let step = 1; step < route.length; step += 1) links.push([route[step - 1] as string, route[step] as string]);
    return route;
  });
  const columns = ordered(cells, links);
  return place({ columns, routes, graph: { parts, edges } });
}

function partWidth({ label, detail }: Part): number {
  return Math.max(70, Math.ceil(Math.max(displayWidth(label) * characterWidth, Math.min(displayWidth(detail), 34) * labelWidth) + 24));
}

/** The longest way from a beginning to each part. */
function layers(parts: readonly Part[], edges: PartGraph["edges"]): ReadonlyMap<string, number> {
  const layer = new Map(parts.map(({ id }) => [id, 0]));
  const left = new Map(parts.map(({ id }) => [id, 0]));
  for (const { to } of edges) left.set(to, (left.get(to) ?? 0) + 1);
  const ready = parts.filter(({ id }) => left.get(id) === 0).map(({ id }) => id);
  for (const id of ready) {
    for (const edge of edges) {
      if (edge.from !== id) continue;
      layer.set(edge.to, Math.max(layer.get(edge.to) ?? 0, (layer.get(id) ?? 0) + 1));
      const rest = (left.get(edge.to) ?? 0) - 1;
      left.set(edge.to, rest);
      if (rest === 0) ready.push(edge.to);
    }
  }
  return nearReaders(layer, edges);
}

/** What gets nothing from others stands right before the first that reads it, not at the far left. */
function nearReaders(layer: ReadonlyMap<string, number>, edges: PartGraph["edges"]): ReadonlyMap<string, number> {
  const readers = new Set(edges.map(({ to }) => to));
  const near = new Map(layer);
  for (const id of layer.keys()) {
    if (readers.has(id)) continue;
    const first = Math.min(...edges.flatMap(({ from, to }) => (from === id ? [layer.get(to) ?? 1] : [])));
    if (Number.isFinite(first)) near.set(id, first - 1);
  }
  return near;
}

/** Orders each layer by the middle of its neighbours, so that few edges cross. */
function ordered(cells: readonly Cell[], links: readonly (readonly [from: string, to: string])[]): Cell[][] {
  const columns: Cell[][] = [];
  for (const cell of cells) {
    columns[cell.layer] ??= [];
    columns[cell.layer]?.push(cell);
  }
  const neighbours = new Map<string, { readonly before: string[]; readonly after: string[] }>(cells.map(({ id }) => [id, { before: [], after: [] }]));
  for (const [from, to] of links) {
    neighbours.get(from)?.after.push(to);
    neighbours.get(to)?.before.push(from);
  }
  const position = new Map<string, number>();
  const number = (column: readonly Cell[]): void => {
    for (const [index, { id }] of column.entries()) position.set(id, index);
  };
  for (const column of columns) number(column);
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const side = sweep % 2 === 0 ? "before" : "after";
    const walk = side === "before" ? [...columns] : columns.toReversed();
    for (const column of walk) {
      const middle = new Map(
        column.map(({ id }) => [id, mean((neighbours.get(id)?.[side] ?? []).map((other) => position.get(other) ?? 0)) ?? position.get(id) ?? 0]),
      );
      column.sort((a, b) => (middle.get(a.id) ?? 0) - (middle.get(b.id) ?? 0));
      number(column);
    }
  }
  return columns;
}

function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function place({
  columns,
  routes,
  graph,
}: {
  readonly columns: readonly (readonly Cell[])[];
  readonly routes: readonly (readonly string[])[];
  readonly graph: Pick<PartGraph, "parts" | "edges">;
}): Layout {
  const heights = columns.map((column) => column.reduce((sum, { height }) => sum + height + rowGap, -rowGap));
  const tallest = Math.max(0, ...heights);
  const spots = new Map<string, { readonly x: number; readonly y: number; readonly width: number; readonly height: number; readonly part: Part | undefined }>();
  const layerOf = new Map(columns.flatMap((column, layer) => column.map(({ id }) => [id, layer] as const)));
  let x = margin;
  for (const [layer, column] of columns.entries()) {
    const width = Math.max(0, ...column.map((cell) => cell.width));
    let y = margin + (tallest - (heights[layer] ?? 0)) / 2;
    for (const cell of column) {
      spots.set(cell.id, {
        x: cell.part === undefined ? x + width / 2 : x + (width - cell.width) / 2,
        y,
        width: cell.width,
        height: cell.height,
        part: cell.part,
      });
      y += cell.height + rowGap;
    }
    const texts = graph.edges.flatMap(({ from, type }) => (layerOf.get(from) === layer ? [displayWidth(shortened(type)) * labelWidth] : []));
    x += width + Math.max(60, ...texts.map((text) => text + 36));
  }
  const parts = [...spots.values()].flatMap(({ part, ...spot }) => (part === undefined ? [] : [{ part, ...spot }]));
  const edges = graph.edges.map(({ type, order }, index): PlacedEdge => {
    const points = (routes[index] ?? []).map((id, step): readonly [number, number] => {
      const spot = spots.get(id) ?? { x: 0, y: 0, width: 0, height: 0 };
      const atStart = step === 0;
      return [spot.x + (atStart ? spot.width : 0), spot.y + spot.height / 2];
    });
    const [start = [0, 0], next = [0, 0]] = points;
    const label = shortened(type);
    return { points, label, labelWidth: displayWidth(label) * labelWidth, at: [(start[0] + next[0]) / 2, (start[1] + next[1]) / 2], order: order === true };
  });
  return { width: x, height: tallest + 2 * margin, parts, edges: apart(edges, parts) };
}

/** Moves texts that would lie over each other, or over a part, apart. */
function apart(edges: readonly PlacedEdge[], parts: readonly PlacedPart[]): readonly PlacedEdge[] {
  const half = labelHeight / 2;
  const taken = parts.map(({ x, y, width, height }) => ({ left: x - 3, right: x + width + 3, top: y, bottom: y + height }));
  const moved = new Map<PlacedEdge, number>();
  for (const edge of [...edges].sort((a, b) => a.at[1] - b.at[1])) {
    const [left, right] = [edge.at[0] - edge.labelWidth / 2, edge.at[0] + edge.labelWidth / 2];
    let [, y] = edge.at;
    const meets = (): boolean => taken.some((other) => other.left < right && left < other.right && other.top < y + half && y - half < other.bottom);
    while (meets()) y += 2;
    taken.push({ left, right, top: y - half, bottom: y + half });
    moved.set(edge, y);
  }
  return edges.map((edge) => ({ ...edge, at: [edge.at[0], moved.get(edge) ?? edge.at[1]] }));
}

function shortened(text: string): string {
  return text.length <= 34 ? text : `${text.slice(0, 33)}…`;
}
