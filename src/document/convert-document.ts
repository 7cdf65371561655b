import { isAlias, isMap, isScalar, isSeq, type Pair, type ParsedNode, type Scalar, type YAMLMap, type YAMLSeq } from "yaml";
import { invariant } from "../base/invariant.ts";
import type { DocumentNode, DocumentProblem, KeyNode, MappingEntry, MappingNode, ScalarNode, ScalarStyle, SequenceNode, Span } from "./document.ts";
import { quoteScalar } from "./quote-scalar.ts";

/** How many aliases may be expanded in one document, those inside expanded ones counted again. */
const aliasLimit = 100;

/** What the conversion knows of the source. */
export interface ConversionSource {
  readonly text: string;
  /** The place in `text` of an offset in what the YAML library read. */
  readonly originalOffset: (offset: number) => number;
  /** The scalar that was read from quotes that are not in `text`, by its offset in what the library read. */
  readonly repaired: (offset: number) => { readonly span: Span; readonly lead: number } | undefined;
}

/**
 * Turns the YAML library's nodes into ours and checks what the profile forbids.
 *
 * @param contents The root of the library's document.
 * @param source Where its offsets point.
 */
export function convertDocument(contents: ParsedNode, source: ConversionSource): ConvertedDocument {
  const state: State = { source, problems: [], unclosed: [], unclosedAt: new Set(), anchors: new Map(), expansions: 0 };
  const root = convert(contents, state);
  // A quote that is never closed swallows what would close the brackets around it.
  const quotes = state.unclosed.filter(({ mark }) => mark === '"' || mark === "'");
  const problems = (quotes.length > 0 ? quotes : state.unclosed).map(({ span, mark }): DocumentProblem => {
    return { code: "DITTO101", span, arguments: { problem: `this ${mark} is never closed` } };
  });
  return { root, problems: [...state.problems, ...problems], unclosedAt: state.unclosedAt };
}

/** What conversion gives. */
export interface ConvertedDocument {
  readonly root: DocumentNode;
  readonly problems: readonly DocumentProblem[];
  /** Offsets, in what the library read, where it misses the end of something whose beginning is among `problems`. */
  readonly unclosedAt: ReadonlySet<number>;
}

interface State {
  readonly source: ConversionSource;
  readonly problems: DocumentProblem[];
  /** Brackets and quotes that nothing closes. */
  readonly unclosed: { readonly span: Span; readonly mark: string }[];
  readonly unclosedAt: Set<number>;
  /** Finished nodes by anchor, with the expansions inside them; undefined while the anchor's node is still open. */
  readonly anchors: Map<string, { readonly node: DocumentNode; readonly expansions: number } | undefined>;
  expansions: number;
}

function convert(node: ParsedNode, state: State): DocumentNode {
  if (isAlias(node)) return convertAlias(node.source, spanOf(node, state), state);
  const anchor = node.anchor;
  const before = state.expansions;
  if (anchor !== undefined) state.anchors.set(anchor, undefined);
  const converted = isMap(node) ? convertMapping(node, state) : isSeq(node) ? convertSequence(node, state) : convertScalar(node, state);
  if (anchor !== undefined) state.anchors.set(anchor, { node: converted, expansions: state.expansions - before });
  return converted;
}

function convertAlias(name: string, span: Span, state: State): DocumentNode {
  const anchored = state.anchors.get(name);
  if (anchored === undefined) {
    state.problems.push({ code: "DITTO113", span, arguments: { name } });
    return { ...emptyScalar(span), unreadable: true };
  }
  const before = state.expansions;
  state.expansions += 1 + anchored.expansions;
  if (state.expansions > aliasLimit) {
    if (before <= aliasLimit) state.problems.push({ code: "DITTO110", span, arguments: { limit: aliasLimit } });
    return { ...emptyScalar(span), unreadable: true };
  }
  return { ...anchored.node, alias: { name, span } };
}

function convertMapping(node: YAMLMap.Parsed, state: State): MappingNode {
  checkClosed(node, state);
  const entries = new Map<string, MappingEntry>();
  for (const pair of node.items) {
    const key = convertKey(pair, state);
    const value = convertValue(pair, state);
    if (key === undefined) continue;
    const first = entries.get(key.text);
    if (first === undefined) entries.set(key.text, { key, value });
    else {
      const related = [{ span: first.key.span, note: "here it is written first" }];
      state.problems.push({ code: "DITTO102", span: key.span, arguments: { key: key.text }, related });
    }
  }
  const all = [...entries.values()];
  return { kind: "mapping", span: collectionSpan(node, all.at(-1)?.value, state), entries: all, flow: node.flow === true };
}

function convertValue(pair: Pair<ParsedNode, ParsedNode | null>, state: State): DocumentNode {
  if (pair.value !== null) return convert(pair.value, state);
  const end = state.source.originalOffset(pair.key.range[1]);
  return emptyScalar({ start: end, end });
}

/** A key as text; undefined, with its problem told, where it cannot be one. */
function convertKey(pair: Pair<ParsedNode, unknown>, state: State): KeyNode | undefined {
  const { key } = pair;
  const span = spanOf(key, state);
  const refuse = (found: string, quoted?: string): undefined => {
    const fix = quoted === undefined ? {} : { fix: { title: "Quote the key", edits: [{ span, text: quoted }] } };
    state.problems.push({ code: "DITTO106", span, arguments: { found }, ...fix });
  };
  if (isAlias(key)) return refuse("an alias");
  if (!isScalar(key)) return refuse(isMap(key) ? "a mapping" : "a list");
  if (key.anchor !== undefined) convert(key, state);
  if (typeof key.value === "string") {
    if (key.value !== "__proto__") return { text: key.value, span };
    state.problems.push({ code: "DITTO107", span, arguments: { key: key.value } });
    return undefined;
  }
  const written = state.source.text.slice(span.start, span.end);
  if (written === "") return refuse("missing");
  return refuse(key.value === null ? "null" : `the ${typeof key.value} ${written}`, quoteScalar(written));
}

function convertSequence(node: YAMLSeq.Parsed, state: State): SequenceNode {
  checkClosed(node, state);
  const items = node.items.map((item) => convert(item as ParsedNode, state));
  return { kind: "sequence", span: collectionSpan(node, items.at(-1), state), items, flow: node.flow === true };
}

function convertScalar(node: Scalar.Parsed, state: State): ScalarNode {
  const { source } = state;
  checkClosed(node, state);
  const repaired = source.repaired(node.range[0]);
  const span = repaired?.span ?? spanOf(node, state);
  const raw = source.text.slice(span.start, span.end);
  const style = repaired === undefined ? styleOf(node) : "plain";
  const text = node.source ?? "";
  const value = scalarValue(node, { raw, span, state });
  if (repaired !== undefined) return { kind: "scalar", span, value: text, text, style, raw, ...(repaired.lead > 0 ? { lead: repaired.lead } : {}) };
  if (style !== "literal" && style !== "folded") return { kind: "scalar", span, value, text, style, raw };
  return {
    kind: "scalar",
    span,
    value,
    text,
    style,
    raw,
    blockIndent: blockIndentation(raw, node.srcToken?.type === "block-scalar" ? node.srcToken.indent : 0),
  };
}

function scalarValue(node: Scalar.Parsed, at: { readonly raw: string; readonly span: Span; readonly state: State }): ScalarNode["value"] {
  const { value } = node;
  if (typeof value === "number") {
    const place = { span: at.span, arguments: { number: at.raw } };
    if (!Number.isFinite(value)) at.state.problems.push({ code: "DITTO115", ...place });
    else if (Number.isInteger(value) && !Number.isSafeInteger(value) && /^[-+]?(?:[0-9]+|0[ox][0-9a-fA-F]+)$/u.test(at.raw)) {
      at.state.problems.push({ code: "DITTO109", ...place });
    }
    return value;
  }
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  invariant(value === undefined, "the core schema gives JSON scalars only");
  return null;
}

/** Tells of a quote or bracket that is never closed where it is opened, not where the file ends. */
function checkClosed(node: YAMLMap.Parsed | YAMLSeq.Parsed | Scalar.Parsed, state: State): void {
  const token = node.srcToken;
  let closed = true;
  let mark = "";
  if (token?.type === "flow-collection") {
    mark = token.start.source;
    closed = token.end[0]?.source === (mark === "{" ? "}" : "]");
  } else if (token?.type === "double-quoted-scalar" || token?.type === "single-quoted-scalar") {
    mark = token.source.charAt(0);
    closed = token.source.length > 1 && token.source.endsWith(mark);
  }
  if (closed) return;
  state.unclosedAt.add(node.range[1]);
  const start = state.source.originalOffset(node.range[0]);
  state.unclosed.push({ span: { start, end: Math.min(start + 1, state.source.text.length) }, mark });
}

function styleOf(node: Scalar.Parsed): ScalarStyle {
  switch (node.type) {
    case "QUOTE_SINGLE":
      return "single";
    case "QUOTE_DOUBLE":
      return "double";
    case "BLOCK_LITERAL":
      return "literal";
    case "BLOCK_FOLDED":
      return "folded";
    default:
      return "plain";
  }
}

/** Columns of indentation of a block scalar: what its header says on top of its parent's, or those of its first line with text. */
function blockIndentation(raw: string, parentIndent: number): number {
  const [header = "", ...lines] = raw.split("\n");
  const indicator = /^[|>][-+]?([1-9])/u.exec(header)?.[1];
  if (indicator !== undefined) return parentIndent + Number(indicator);
  let longest = 0;
  for (const line of lines) {
    const indent = line.search(/[^ ]|$/u);
    if (line.slice(indent).replace("\r", "") !== "") return indent;
    longest = Math.max(longest, indent);
  }
  return longest;
}

/** A block ends where its last value does, not behind the comments and line breaks below it. */
function collectionSpan(node: YAMLMap.Parsed | YAMLSeq.Parsed, last: DocumentNode | undefined, state: State): Span {
  const span = spanOf(node, state);
  return node.flow === true || last === undefined ? span : { start: span.start, end: Math.max(span.start, last.alias?.span.end ?? last.span.end) };
}

function emptyScalar(span: Span): ScalarNode {
  return { kind: "scalar", span, value: null, text: "", style: "plain", raw: "" };
}

function spanOf(node: ParsedNode, state: State): Span {
  const [start, end] = node.range;
  return { start: state.source.originalOffset(start), end: state.source.originalOffset(end) };
}
