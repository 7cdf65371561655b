/** A text and where it came from. */
export interface SourceFile {
  /** As it is shown to people: relative to the working directory where possible. */
  readonly path: string;
  readonly text: string;
}

/** A part of a text, in UTF-16 offsets; `end` is the offset after the last unit. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Replaces a part of a text; an empty span inserts, an empty text deletes. */
export interface TextEdit {
  readonly span: Span;
  readonly text: string;
}

/** A change that repairs a problem and changes nothing else. */
export interface Fix {
  /** One short sentence: what it does. */
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

/** How a scalar is written. */
export type ScalarStyle = "plain" | "single" | "double" | "literal" | "folded";

/** Where an alias (`*name`) stands; the node that carries it is the anchor's. */
interface AliasUse {
  readonly name: string;
  readonly span: Span;
}

/**
 * A node of a YAML document.
 *
 * A node that stands where an alias was written is the anchor's node: `span` and everything below it are places at the anchor,
 * `alias` is the place of the use.
 */
export type DocumentNode = MappingNode | SequenceNode | ScalarNode;

/** A mapping, its entries in the order of the text; keys are unique. */
export interface MappingNode {
  readonly kind: "mapping";
  readonly span: Span;
  readonly entries: readonly MappingEntry[];
  /** Written as `{ ... }`. */
  readonly flow: boolean;
  readonly alias?: AliasUse;
}

/** One key with its value. */
export interface MappingEntry {
  readonly key: KeyNode;
  readonly value: DocumentNode;
}

/** A key: always a string. */
export interface KeyNode {
  readonly text: string;
  readonly span: Span;
}

/** A sequence. */
export interface SequenceNode {
  readonly kind: "sequence";
  readonly span: Span;
  readonly items: readonly DocumentNode[];
  /** Written as `[ ... ]`. */
  readonly flow: boolean;
  readonly alias?: AliasUse;
}

/** A scalar. */
export interface ScalarNode {
  readonly kind: "scalar";
  /** With its quotes, or its block header; empty (right after the `:` or `-`) where no value is written. */
  readonly span: Span;
  /** As the YAML 1.2 core schema reads it. */
  readonly value: string | number | boolean | null;
  /** The decoded text: escapes resolved, lines folded, indentation gone. */
  readonly text: string;
  readonly style: ScalarStyle;
  /** The source text under `span`. */
  readonly raw: string;
  /** Characters of `text` that stand before the first of the source: the `${ ` of an expression that was written without it. */
  readonly lead?: number;
  /** Columns of indentation that were taken off each line of a block scalar. */
  readonly blockIndent?: number;
  /** What stands here could not be read, which is among the problems: nothing more is to be said about it. */
  readonly unreadable?: true;
  readonly alias?: AliasUse;
}

/** What reading a text gave. */
export interface ParsedDocument {
  readonly file: SourceFile;
  /** Absent where nothing could be read; present, and perhaps incomplete, beside problems. */
  readonly root: DocumentNode | undefined;
  /** In the order of the text. */
  readonly problems: readonly DocumentProblem[];
}

/** A violation of the YAML profile. */
export interface DocumentProblem {
  /** A code of the diagnostics' catalogue, 1xx. */
  readonly code: DocumentProblemCode;
  readonly span: Span;
  /** What the sentence of that code names. */
  readonly arguments: Readonly<Record<string, string | number>>;
  /** The other places that belong to it. */
  readonly related?: readonly { readonly span: Span; readonly note: string }[];
  readonly fix?: Fix;
  /** One sentence on the way out. */
  readonly hint?: string;
}

/** The codes of reading. */
export type DocumentProblemCode =
  | "DITTO101"
  | "DITTO102"
  | "DITTO103"
  | "DITTO104"
  | "DITTO105"
  | "DITTO106"
  | "DITTO107"
  | "DITTO108"
  | "DITTO109"
  | "DITTO110"
  | "DITTO111"
  | "DITTO112"
  | "DITTO113"
  | "DITTO114"
  | "DITTO115";
