import { nearestName } from "../../base/nearest-names.ts";
import { createDiagnostic, type Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { DocumentNode, KeyNode, SourceFile } from "../../document/document.ts";
import { spanInSource } from "../../document/offset-in-source.ts";
import { stringValue } from "../model/node-access.ts";
import type { PlanTemplate } from "../model/plan.ts";
import type { NodeContractFacts } from "./node-contract.ts";

/** A graph's node before the order is known. */
export interface UnsortedNode {
  readonly id: string;
  readonly key: KeyNode;
  readonly node: string | undefined;
  readonly contract: NodeContractFacts | undefined;
  readonly template: PlanTemplate;
  readonly when: PlanTemplate | undefined;
  readonly reads: readonly string[];
  readonly after: readonly DocumentNode[];
  readonly allowFailure: boolean;
  readonly timeoutMs: number | undefined;
  readonly worker: DocumentNode | undefined;
  /** What it reads and what it is told to come after; filled in by the sorting. */
  readonly dependencies?: readonly string[];
}

interface SortScope {
  readonly file: SourceFile;
  /** Every name under `nodes`. */
  readonly ids: ReadonlySet<string>;
  readonly report: (diagnostic: Diagnostic) => void;
}

/** Orders a graph's nodes so that each comes after what it waits for, in the file's order otherwise; circles are reported. */
export function sortNodes(nodes: readonly UnsortedNode[], at: SortScope): UnsortedNode[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const needs = new Map(nodes.map((node) => [node.id, new Set([...node.reads, ...afterIds(node, byId, at)])]));
  const left = new Map([...needs].map(([id, set]) => [id, set.size]));
  const readers = new Map<string, string[]>();
  for (const [id, set] of needs) {
    for (const need of set) {
      const list = readers.get(need);
      if (list === undefined) readers.set(need, [id]);
      else list.push(id);
    }
  }
  const queue = nodes.filter(({ id }) => left.get(id) === 0).map(({ id }) => id);
  const sorted: UnsortedNode[] = [];
  for (let index = 0; index < queue.length; index += 1) {
    const id = queue[index] as string;
    sorted.push({ ...(byId.get(id) as UnsortedNode), dependencies: [...(needs.get(id) ?? [])] });
    for (const reader of readers.get(id) ?? []) {
      const rest = (left.get(reader) as number) - 1;
      left.set(reader, rest);
      if (rest === 0) queue.push(reader);
    }
  }
  if (sorted.length < nodes.length) reportCircle(nodes, { ...at, needs, done: new Set(queue) });
  return sorted;
}

function afterIds(node: UnsortedNode, byId: ReadonlyMap<string, UnsortedNode>, at: SortScope): string[] {
  return node.after.flatMap((item) => {
    const name = stringValue(item);
    if (name === undefined) return [];
    if (byId.has(name)) return [name];
    // What stands there and is no node was reported.
    if (at.ids.has(name) || item.kind !== "scalar") return [];
    const suggestion = nearestName(name, at.ids);
    const hint =
      suggestion === undefined ? `its nodes: ${[...at.ids].slice(0, 8).join(", ")}${at.ids.size > 8 ? ` and ${at.ids.size - 8} more` : ""}` : undefined;
    const fix =
      suggestion === undefined || item.alias !== undefined
        ? undefined
        : { title: `write "${suggestion}"`, edits: [{ span: spanInSource(item, { start: 0, end: item.text.length }), text: suggestion }] };
    at.report(createDiagnostic("DITTO502", { file: at.file, span: item.span, arguments: { name }, suggestion, fix, hint }));
    return [];
  });
}

function reportCircle(
  nodes: readonly UnsortedNode[],
  at: {
    readonly file: SourceFile;
    readonly report: (diagnostic: Diagnostic) => void;
    readonly needs: ReadonlyMap<string, ReadonlySet<string>>;
    readonly done: ReadonlySet<string>;
  },
): void {
  const seen = new Set<string>();
  for (const start of nodes) {
    if (at.done.has(start.id) || seen.has(start.id)) continue;
    const path = circleFrom(start.id, at);
    if (path === undefined || path.some((id) => seen.has(id))) continue;
    for (const id of path) seen.add(id);
    const places = path.map((id) => (nodes.find((node) => node.id === id) as UnsortedNode).key.span);
    at.report(
      createDiagnostic("DITTO501", {
        file: at.file,
        span: places[0] as KeyNode["span"],
        arguments: { cycle: [...path, path[0]].join(" -> ") },
        related: places.slice(1).map((span, index) => ({ file: at.file, span, note: `"${path[index + 1]}" waits for "${path[(index + 2) % path.length]}"` })),
      }),
    );
  }
}

function circleFrom(
  start: string,
  { needs, done }: { readonly needs: ReadonlyMap<string, ReadonlySet<string>>; readonly done: ReadonlySet<string> },
): string[] | undefined {
  const from = new Map<string, string>();
  const queue = [start];
  for (let index = 0; index < queue.length; index += 1) {
    const id = queue[index] as string;
    for (const next of needs.get(id) ?? []) {
      if (next === start) {
        const path = [id];
        for (let at = id; at !== start; ) {
          at = from.get(at) as string;
          path.unshift(at);
        }
        return path;
      }
      if (done.has(next) || from.has(next)) continue;
      from.set(next, id);
      queue.push(next);
    }
  }
  return undefined;
}
