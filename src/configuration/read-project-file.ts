import { projectFileSchema } from "../../schema/project-file.ts";
import type { JsonObject } from "../contracts/json.ts";
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { documentDiagnostics } from "../diagnostics/document-diagnostics.ts";
import { sortDiagnostics } from "../diagnostics/sort-diagnostics.ts";
import type { DocumentNode, SourceFile, Span } from "../document/document.ts";
import { entryOf } from "../document/find-node.ts";
import { nodeValue } from "../document/node-value.ts";
import { parseDocument } from "../document/parse-document.ts";
import { validateNode } from "../validation/validate-node.ts";

/** `ditto.yaml` as it is written. */
export interface ProjectFile {
  /** Its value; empty where there are diagnostics. */
  readonly settings: JsonObject;
  /** The modules under `plugins`; undefined where the key is left out. */
  readonly plugins: readonly PlacedText[] | undefined;
  /** The patterns under `pipelines`; undefined where the key is left out. */
  readonly pipelines: readonly PlacedText[] | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** A text with its place. */
export interface PlacedText {
  readonly text: string;
  readonly span: Span;
}

/**
 * Reads the text of a `ditto.yaml`.
 *
 * Beyond the profile of all files, it takes neither aliases nor expressions: what is written is what counts.
 *
 * @param file The file.
 */
export function readProjectFile(file: SourceFile): ProjectFile {
  const document = parseDocument(file);
  const { root } = document;
  const found = [...documentDiagnostics(document)];
  if (root !== undefined) {
    found.push(...literalDiagnostics(root, { file, place: "the file", tokens: tokenNodes(root) }));
    found.push(...validateNode(root, projectFileSchema, { file, place: "the file" }));
  }
  const diagnostics = sortDiagnostics(found);
  return {
    settings: root === undefined || diagnostics.length > 0 ? {} : (nodeValue(root) as JsonObject),
    plugins: texts(root, "plugins"),
    pipelines: texts(root, "pipelines"),
    diagnostics,
  };
}

interface Walk {
  readonly file: SourceFile;
  readonly place: string;
  readonly tokens: ReadonlySet<DocumentNode>;
}

/** What is written in a way that other files allow and this one does not. */
function literalDiagnostics(node: DocumentNode, walk: Walk): readonly Diagnostic[] {
  const { file, place, tokens } = walk;
  if (node.alias !== undefined) return [createDiagnostic("DITTO120", { file, span: node.alias.span, arguments: { name: node.alias.name } })];
  if (node.kind === "mapping") return node.entries.flatMap(({ key, value }) => literalDiagnostics(value, { ...walk, place: key.text }));
  if (node.kind === "sequence") return node.items.flatMap((item) => literalDiagnostics(item, walk));
  if (tokens.has(node)) return [];
  return node.text.includes("${") ? [createDiagnostic("DITTO412", { file, span: node.span, arguments: { place } })] : [];
}

/** Secrets are the only values that come from outside; `ditto serve` reads them. */
function tokenNodes(root: DocumentNode): ReadonlySet<DocumentNode> {
  const list = entryOf(entryOf(root, "serve")?.value, "tokens")?.value;
  const items = list?.kind === "sequence" ? list.items : [];
  return new Set(items.flatMap((item) => entryOf(item, "token")?.value ?? []));
}

function texts(root: DocumentNode | undefined, key: string): readonly PlacedText[] | undefined {
  const list = entryOf(root, key)?.value;
  if (list?.kind !== "sequence") return undefined;
  return list.items.flatMap((item) => (item.kind === "scalar" && typeof item.value === "string" ? [{ text: item.text, span: item.span }] : []));
}
