import type { JsonSchema, PlaceAnnotation, RoleName, SlotAnnotation } from "../contracts/json-schema.ts";
import { createDiagnostic, type Diagnostic, type DiagnosticCode, type DiagnosticDetails } from "../diagnostics/diagnostic.ts";
import type { DocumentNode, KeyNode, MappingNode, SourceFile, Span } from "../document/document.ts";

/** Where a node stands. */
export interface NodePlace {
  /** How a diagnostic names it. */
  readonly label: string;
  readonly pointer: string;
  /** The key that leads to it. */
  readonly key: KeyNode | undefined;
  /** The mapping above it. */
  readonly above: KeysAbove | undefined;
}

/** A mapping by what may stand in it. */
export interface KeysAbove {
  readonly label: string;
  readonly keys: readonly string[];
  /** How far up it is, where that is more than one level. */
  readonly levels?: number | undefined;
}

/** A slot or place that was met and not looked into. */
export interface FoundAnnotation<A extends SlotAnnotation | PlaceAnnotation> {
  readonly annotation: A;
  readonly schema: JsonSchema;
  readonly node: DocumentNode;
  readonly key: KeyNode | undefined;
  /** JSON pointer from the node where validation began. */
  readonly pointer: string;
  readonly label: string;
}

/** One walk over a tree: what it found so far. A form that is only tried walks on its own, and joins when it is chosen. */
export interface NodeWalk {
  /** Where `$ref`s point into. */
  readonly root: JsonSchema;
  readonly file: SourceFile;
  readonly diagnostics: Diagnostic[];
  readonly slots: FoundAnnotation<SlotAnnotation>[];
  readonly places: FoundAnnotation<PlaceAnnotation>[];
  /** Misspelt keys, with what was probably meant. */
  readonly misspelt: { readonly key: KeyNode; readonly meant: string }[];
  /** Tells whether a kind's configuration takes a key. */
  readonly kindTakes: ((role: RoleName, kind: string, key: string) => boolean) | undefined;
  /** Keys that were meant by misspelt ones, by mapping: they are not missing as well. */
  readonly meant: Map<MappingNode, ReadonlySet<string>>;
  /** Something was met whose value is not known yet. */
  sawHole: boolean;
}

/** Starts a walk beside another one. */
export function newWalk(from: Pick<NodeWalk, "root" | "file"> & Partial<Pick<NodeWalk, "kindTakes" | "meant">>): NodeWalk {
  return {
    root: from.root,
    file: from.file,
    kindTakes: from.kindTakes,
    diagnostics: [],
    slots: [],
    places: [],
    misspelt: [],
    meant: from.meant ?? new Map(),
    sawHole: false,
  };
}

/** Takes over what a walk beside this one found. */
export function joinWalk(walk: NodeWalk, other: NodeWalk): void {
  walk.diagnostics.push(...other.diagnostics);
  walk.slots.push(...other.slots);
  walk.places.push(...other.places);
  walk.misspelt.push(...other.misspelt);
  walk.sawHole ||= other.sawHole;
}

/** Adds a diagnostic in the walk's file. */
export function report<C extends DiagnosticCode>(walk: NodeWalk, code: C, details: Omit<DiagnosticDetails<C>, "file">): void {
  walk.diagnostics.push(createDiagnostic(code, { file: walk.file, ...details } as DiagnosticDetails<C>));
}

/** Where a finding about a node as a whole is shown: its first line, or its key where nothing is written. */
export function shownSpan(node: DocumentNode, key: KeyNode | undefined, walk: NodeWalk): Span {
  const { start, end } = node.span;
  if (end <= start) return key?.span ?? node.span;
  const { text } = walk.file;
  const lineBreak = text.indexOf("\n", start);
  const lineEnd = lineBreak > 0 && text[lineBreak - 1] === "\r" ? lineBreak - 1 : lineBreak;
  return { start, end: lineBreak === -1 ? end : Math.max(start + 1, Math.min(end, lineEnd)) };
}

/** Where something that a mapping lacks is shown: at its key. What stands behind an anchor is shown there, once for all its uses. */
export function owningSpan(node: DocumentNode, key: KeyNode | undefined, walk: NodeWalk): Span {
  return key === undefined || node.alias !== undefined ? shownSpan(node, key, walk) : key.span;
}

/** Tells whether a node is a scalar with an expression or a value from outside in it, or one that could not be read: its value is not known. */
export function isHole(node: DocumentNode): boolean {
  if (node.kind !== "scalar") return false;
  return node.unreadable === true || (typeof node.value === "string" && /(?<!\$)\$\{/u.test(node.text));
}
