import { isRecord } from "../../base/is-record.ts";
import type { JsonValue } from "../../contracts/json.ts";
import type { DocumentNode, SourceFile, Span } from "../../document/document.ts";
import { nodeAt, pointerTo } from "../../document/find-node.ts";
import { lineIndexOf } from "../../document/line-index.ts";
import { member } from "../../pipeline/model/node-access.ts";
import type { Resolved, ResolvedComponent } from "../../pipeline/model/resolved.ts";
import { shortName } from "../../pipeline/model/short-name.ts";

/** Where a value comes from. */
export interface Origin {
  /** As it is shown; absent for what no file says. */
  readonly file?: string;
  readonly line?: number;
  /** `default`, `--set`, `profile production`, or the expression that the value stands for. */
  readonly by?: string;
}

/** A configuration as it is in effect, each value with its origin. */
export type EffectiveNode =
  | { readonly kind: "scalar"; readonly value: string | number | boolean | null; readonly origin: Origin }
  | { readonly kind: "list"; readonly items: readonly EffectiveNode[]; readonly origin: Origin }
  | { readonly kind: "map"; readonly entries: readonly (readonly [key: string, value: EffectiveNode])[]; readonly origin: Origin };

/**
 * Puts together what a pipeline file says once includes, the profile and variables are merged in, with the defaults of its kinds.
 *
 * Values from outside stay as they stand in the file.
 *
 * @param resolved The file, resolved.
 * @param options `overrides`: the variables that the command line set.
 */
export function effectiveTree(resolved: Resolved, { overrides }: { readonly overrides: ReadonlySet<string> }): EffectiveNode {
  return new Tree(resolved, overrides).whole();
}

interface Written {
  readonly file: SourceFile;
}

class Tree {
  readonly #resolved: Resolved;
  readonly #overrides: ReadonlySet<string>;
  readonly #components: ReadonlyMap<string, ResolvedComponent>;
  readonly #profiles: DocumentNode | undefined;

  constructor(resolved: Resolved, overrides: ReadonlySet<string>) {
    this.#resolved = resolved;
    this.#overrides = overrides;
    this.#components = new Map(resolved.components.map((component) => [component.shape.id, component]));
    this.#profiles = member(resolved.validated.assembled.root, "profiles");
  }

  whole(): EffectiveNode {
    const { assembled, resources, targets, memory, context, graphs, ingests } = this.#resolved.validated;
    const { root, main: file } = assembled;
    const plain = ["version", "name", "description"].flatMap((key) => {
      const node = member(root, key);
      return node === undefined ? [] : [[key, this.#node(node, { file })] as const];
    });
    const sections = [
      ["vars", this.#variables()],
      ["resources", map([...resources.values()].map((shape) => [shape.name, this.#component(shape.id)] as const))],
      ["targets", map([...targets.values()].map((target) => [target.name, this.#target(target.name)] as const))],
      ["memory", memory && this.#section(memory, file)],
      ["context", context && this.#section(context, file)],
      ["graphs", map(graphs.map((named) => [named.name, this.#node(named.node, named)] as const))],
      ["ingest", map(ingests.map((named) => [named.name, this.#node(named.node, named)] as const))],
    ] as const;
    return map([...plain, ...sections.flatMap(([key, node]) => (node === undefined || isEmpty(node) ? [] : [[key, node] as const]))]);
  }

  #variables(): EffectiveNode {
    const { main, vars: declared } = this.#resolved.validated.assembled;
    const values = this.#resolved.vars.get(main) ?? {};
    const entries = (declared.get(main) ?? []).map(({ name, node, file }) => {
      if (!this.#overrides.has(name)) return [name, this.#node(node, { file })] as const;
      return [name, valueNode(values[name] ?? null, { by: "--set" })] as const;
    });
    return map(entries);
  }

  #target(name: string): EffectiveNode {
    const target = this.#resolved.validated.targets.get(name);
    const strategies = [...(target?.strategies ?? [])].flatMap(([strategy, { component }]) =>
      component === undefined ? [] : [[strategy, this.#component(component.id)] as const],
    );
    const chosen = this.#resolved.targets[name]?.default ?? "";
    const written = target?.default;
    const standard: EffectiveNode = {
      kind: "scalar",
      value: chosen,
      origin: written === undefined ? { by: "default" } : this.#origin(written.span, target as Written),
    };
    return map([...(chosen === "" ? [] : [["default", standard] as const]), ["strategies", map(strategies)]]);
  }

  #component(id: string): EffectiveNode {
    const component = this.#components.get(id);
    if (component === undefined) return { kind: "scalar", value: null, origin: {} };
    const { shape, configuration } = component;
    return map([[shape.kind, this.#configuration(configuration, "", component)]], this.#origin(shape.place.span, shape));
  }

  #configuration(value: JsonValue, pointer: string, component: ResolvedComponent): EffectiveNode {
    const { shape, slots, outside } = component;
    const written = nodeAt(shape.node, pointer)?.node;
    const origin = this.#origin(written?.span, shape);
    const slot = shape.slots.find((filled) => filled.pointer === pointer);
    if (slot !== undefined) {
      const { fill } = slot;
      if (fill.kind === "component") return this.#component(fill.component.id);
      const id = slots.get(pointer);
      return { kind: "scalar", value: fill.name.includes("${") && id !== undefined ? shortName(id) : fill.name, origin: holeOrigin(origin, fill.name) };
    }
    const place = shape.places.find((found) => found.pointer === pointer);
    if (place !== undefined) return this.#node(place.node, shape);
    const hole = shape.holes.find((found) => found.pointer === pointer);
    if (hole !== undefined) {
      const known = !outside.has(pointer) && value !== null;
      return known ? valueNode(value, holeOrigin(origin, hole.node.text)) : { kind: "scalar", value: hole.node.text, origin };
    }
    if (Array.isArray(value))
      return { kind: "list", items: value.map((item: JsonValue, index) => this.#configuration(item, pointerTo(pointer, index), component)), origin };
    if (!isRecord(value)) return { kind: "scalar", value: value as string | number | boolean | null, origin };
    const entries = Object.entries(value).map(([key, item]) => [key, this.#configuration(item as JsonValue, pointerTo(pointer, key), component)] as const);
    return map(entries, origin);
  }

  /** `memory` or `context`: as it is written, with components that stand in its slots. */
  #section(section: NonNullable<Resolved["validated"]["memory"]>, file: SourceFile): EffectiveNode {
    const build = (node: DocumentNode, path: string): EffectiveNode => {
      const fill = section.slots.get(path)?.fill;
      if (fill?.kind === "component") return this.#component(fill.component.id);
      if (fill?.kind === "name") return { kind: "scalar", value: fill.name, origin: this.#origin(node.span, { file }) };
      if (node.kind !== "mapping") return this.#node(node, { file });
      return map(
        node.entries.map(({ key, value }) => [key.text, build(value, path === "" ? key.text : `${path}/${key.text}`)] as const),
        this.#origin(node.span, { file }),
      );
    };
    return build(section.node, "");
  }

  #node(node: DocumentNode, written: Written): EffectiveNode {
    const origin = this.#origin(node.span, written);
    if (node.kind === "sequence") return { kind: "list", items: node.items.map((item) => this.#node(item, written)), origin };
    if (node.kind === "mapping")
      return map(
        node.entries.map(({ key, value }) => [key.text, this.#node(value, written)] as const),
        origin,
      );
    const source = written.file.text.slice(node.span.start, node.span.end);
    // What a constant stands for carries the place of its expression.
    const replaced = source.includes("${") && !node.text.includes("${");
    return { kind: "scalar", value: node.value, origin: replaced ? holeOrigin(origin, source.replace(/^["']|["']$/gu, "")) : origin };
  }

  #origin(span: Span | undefined, { file }: Written): Origin {
    if (span === undefined) return { by: "default" };
    const { line } = lineIndexOf(file).position(span.start);
    const profile = this.#profileAt(span, file);
    return { file: file.path, line, ...(profile === undefined ? {} : { by: `profile ${profile}` }) };
  }

  #profileAt(span: Span, file: SourceFile): string | undefined {
    const { main, profile } = this.#resolved.validated.assembled;
    const profiles = this.#profiles;
    const inside = file === main && profiles !== undefined && profiles.span.start <= span.start && span.end <= profiles.span.end;
    return inside ? profile : undefined;
  }
}

function holeOrigin(origin: Origin, source: string): Origin {
  return source.includes("${") ? { ...origin, by: origin.by === undefined ? source : `${origin.by}, ${source}` } : origin;
}

function map(entries: readonly (readonly [key: string, value: EffectiveNode])[], origin: Origin = {}): EffectiveNode {
  return { kind: "map", entries, origin };
}

function isEmpty(node: EffectiveNode): boolean {
  return node.kind === "map" && node.entries.length === 0;
}

function valueNode(value: JsonValue, origin: Origin): EffectiveNode {
  if (Array.isArray(value)) return { kind: "list", items: value.map((item: JsonValue) => valueNode(item, origin)), origin };
  if (!isRecord(value)) return { kind: "scalar", value: value as string | number | boolean | null, origin };
  return map(
    Object.entries(value).map(([key, item]) => [key, valueNode(item as JsonValue, origin)] as const),
    origin,
  );
}
