import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { tokenFileSchema } from "../../schema/project-file.ts";
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { documentDiagnostics } from "../diagnostics/document-diagnostics.ts";
import { sortDiagnostics } from "../diagnostics/sort-diagnostics.ts";
import type { DocumentNode, SourceFile } from "../document/document.ts";
import { entryOf } from "../document/find-node.ts";
import { nodeValue } from "../document/node-value.ts";
import { parseDocument } from "../document/parse-document.ts";
import { validateNode } from "../validation/validate-node.ts";
import { loadProjectConfig, type ProjectConfig, type ProjectOptions } from "./load-project-config.ts";
import { readTokens, type ServeToken } from "./read-tokens.ts";

/** How `ditto serve` listens, to whom, and how much it takes. */
export interface ServeSettings {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly timeoutMs: number;
  readonly drainMs: number;
  readonly maxBodyBytes: number;
  readonly concurrency: number;
  /** Origins whose pages may ask. */
  readonly origins: readonly string[];
  readonly tokens: readonly ServeToken[];
  /** Nodes that other processes may call, by pipeline. */
  readonly workers: Readonly<Record<string, readonly string[]>>;
}

/** Where the settings come from. */
export interface ServeSettingsOptions extends ProjectOptions {
  /** A file of more tokens, from the working directory. */
  readonly tokenFile?: string | undefined;
}

/**
 * Reads what the nearest `ditto.yaml` says under `serve`, with its tokens' values.
 *
 * @param folder Where the search for `ditto.yaml` begins.
 * @param options Variables and a file of tokens.
 * @returns The settings, the project, and every fault of both. With faults, what they touch has its built-in value.
 */
export function loadServeSettings(
  folder: string,
  options: ServeSettingsOptions = {},
): { readonly settings: ServeSettings; readonly project: ProjectConfig; readonly diagnostics: readonly Diagnostic[] } {
  const { project, diagnostics } = loadProjectConfig(folder, options);
  const file = project.file && { file: project.file, folder: project.folder, section: serveSection(project.file) };
  const sound = diagnostics.length === 0 && file?.section !== undefined;
  const written = sound ? (nodeValue(file.section as DocumentNode) as unknown as Partial<ServeSettings>) : {};
  const own = sound ? readTokens(entryOf(file.section, "tokens")?.value, { ...file, env: project.env, literal: false }) : { tokens: [], diagnostics: [] };
  const more = options.tokenFile === undefined ? { tokens: [], diagnostics: [] } : readTokenFile(resolve(options.tokenFile), project);
  const tokens = [...own.tokens, ...more.tokens, ...transportToken(project, written)];
  const settings = { ...builtIn, ...written, tokens };
  return { settings, project, diagnostics: sortDiagnostics([...diagnostics, ...own.diagnostics, ...more.diagnostics]) };
}

const builtIn: ServeSettings = Object.freeze({
  host: "127.0.0.1",
  port: 8080,
  timeoutMs: 30_000,
  drainMs: 30_000,
  maxBodyBytes: 1_048_576,
  concurrency: 256,
  origins: [],
  tokens: [],
  workers: {},
});

/** What `createHttpTransport` and remote workers of other processes bring, where workers are offered to them. */
function transportToken({ env }: ProjectConfig, { workers = {} }: Partial<ServeSettings>): readonly ServeToken[] {
  const secret = env.DITTO_TRANSPORT_HTTP_TOKEN ?? "";
  if (secret === "" || Object.keys(workers).length === 0) return [];
  return [Object.freeze({ name: "transport", reveal: () => secret, pipelines: undefined, namespace: undefined, allow: ["invoke"] } satisfies ServeToken)];
}

function serveSection(file: SourceFile): DocumentNode | undefined {
  return entryOf(parseDocument(file).root, "serve")?.value;
}

function readTokenFile(path: string, { env, folder }: ProjectConfig): { readonly tokens: readonly ServeToken[]; readonly diagnostics: readonly Diagnostic[] } {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
  } catch {
    const place = { file: { path, text: "" }, span: { start: 0, end: 0 } };
    return {
      tokens: [],
      diagnostics: [createDiagnostic("DITTO116", { ...place, arguments: { path, reason: "it is missing, or it cannot be read as text" } })],
    };
  }
  const file = { path, text };
  const document = parseDocument(file);
  const { root } = document;
  const found = [...documentDiagnostics(document), ...(root === undefined ? [] : validateNode(root, tokenFileSchema, { file, place: "the file" }))];
  if (found.length > 0) return { tokens: [], diagnostics: found };
  return readTokens(root, { file, folder, env, literal: true });
}
