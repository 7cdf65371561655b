import { createDiagnostic, type Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Place } from "../model/place.ts";
import type { ResolvedComponent } from "../model/resolved.ts";
import { shortName } from "../model/short-name.ts";

/**
 * Orders components so that each comes after everything in its slots.
 *
 * A circle is reported once, by its shortest path, with a place for each of its steps; what is in a circle, or needs
 * something in one, comes last.
 */
export function sortComponents(components: readonly ResolvedComponent[], report: (diagnostic: Diagnostic) => void): ResolvedComponent[] {
  const byId = new Map(components.map((component) => [component.shape.id, component]));
  const waiting = new Map(components.map((component) => [component.shape.id, new Set([...component.slots.values()].filter((id) => byId.has(id)))]));
  const readers = new Map<string, string[]>();
  for (const [id, needs] of waiting) {
    for (const need of needs) {
      const list = readers.get(need);
      if (list === undefined) readers.set(need, [id]);
      else list.push(id);
    }
  }

  const sorted: ResolvedComponent[] = [];
  const ready = components.filter(({ shape }) => waiting.get(shape.id)?.size === 0).map(({ shape }) => shape.id);
  // The list grows while it is walked.
  for (const next of ready) {
    sorted.push(byId.get(next) as ResolvedComponent);
    waiting.delete(next);
    for (const reader of readers.get(next) ?? []) {
      const needs = waiting.get(reader);
      needs?.delete(next);
      if (needs?.size === 0) ready.push(reader);
    }
  }
  reportCircles(waiting, { byId, report });
  // What is in a circle can still be judged by itself.
  return [...sorted, ...components.filter(({ shape }) => waiting.has(shape.id))];
}

interface Circles {
  readonly byId: ReadonlyMap<string, ResolvedComponent>;
  readonly report: (diagnostic: Diagnostic) => void;
}

function reportCircles(waiting: ReadonlyMap<string, ReadonlySet<string>>, { byId, report }: Circles): void {
  const reported = new Set<string>();
  for (const start of waiting.keys()) {
    if (reported.has(start)) continue;
    const path = shortestCircle(start, waiting);
    if (path === undefined || path.some((id) => reported.has(id))) continue;
    for (const id of path) reported.add(id);
    const steps = path.map((id, index) => edgePlace(byId.get(id) as ResolvedComponent, path[(index + 1) % path.length] as string));
    const [first, ...others] = steps as [Place, ...Place[]];
    const names = [...path, path[0] as string].map(shortName);
    report(
      createDiagnostic("DITTO303", {
        ...first,
        arguments: { cycle: names.join(" -> ") },
        related: others.map((place, index) => ({ ...place, note: `${shortName(path[index + 1] as string)} needs ${names[index + 2] ?? ""}` })),
      }),
    );
  }
}

/** Breadth first from a component back to itself. */
function shortestCircle(start: string, needs: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const at of queue) {
    for (const next of needs.get(at) ?? []) {
      if (next === start) return pathTo(at, { start, cameFrom });
      if (cameFrom.has(next) || !needs.has(next)) continue;
      cameFrom.set(next, at);
      queue.push(next);
    }
  }
  return undefined;
}

function pathTo(end: string, { start, cameFrom }: { readonly start: string; readonly cameFrom: ReadonlyMap<string, string> }): string[] {
  const path = [end];
  for (let at = end; at !== start; ) {
    at = cameFrom.get(at) as string;
    path.unshift(at);
  }
  return path;
}

function edgePlace(from: ResolvedComponent, to: string): Place {
  const pointer = [...from.slots].find(([, id]) => id === to)?.[0];
  const fill = from.shape.slots.find((slot) => slot.pointer === pointer)?.fill;
  return fill?.kind === "name" ? fill.place : from.shape.place;
}
