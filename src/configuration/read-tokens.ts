import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { nearestName } from "../base/nearest-names.ts";
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { DocumentNode, SourceFile, Span } from "../document/document.ts";
import { entryOf } from "../document/find-node.ts";
import { nodeValue } from "../document/node-value.ts";
import type { Environment } from "./read-environment.ts";

/** What a token may be used for. */
export type ServeRight = "search" | "run" | "invoke" | "status";

/** Somebody who may ask. */
export interface ServeToken {
  readonly name: string;
  /** The secret; a function, so that nothing that prints settings prints it. */
  readonly reveal: () => string;
  /** Undefined: all. */
  readonly pipelines: readonly string[] | undefined;
  /** The only scope that it reads and writes; undefined: any. */
  readonly namespace: string | undefined;
  readonly allow: readonly ServeRight[];
}

/** What surrounds a list of tokens. */
export interface TokenScope {
  readonly file: SourceFile;
  /** Absolute; `${file:PATH}` starts here. */
  readonly folder: string;
  readonly env: Environment;
  /** Whether secrets may stand in the file itself. */
  readonly literal: boolean;
}

/**
 * Reads a list of tokens that meets its schema, with the values that come from outside.
 *
 * @param list The list; nothing where it is left out.
 * @param scope What surrounds it.
 * @returns Those that can be used, and what is wrong with the others; no diagnostic shows a secret.
 */
export function readTokens(
  list: DocumentNode | undefined,
  scope: TokenScope,
): { readonly tokens: readonly ServeToken[]; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const tokens: ServeToken[] = [];
  const secrets = new Set<string>();
  for (const item of list?.kind === "sequence" ? list.items : []) {
    const written = nodeValue(item) as unknown as Omit<ServeToken, "reveal" | "allow"> & { readonly token: string; readonly allow?: readonly ServeRight[] };
    const { name, pipelines, namespace, allow = ["search", "run"] } = written;
    const span = entryOf(item, "token")?.value.span ?? item.span;
    const secret = secretOf(written, { ...scope, span, diagnostics });
    if (secret === undefined) continue;
    const problem = secretProblem(secret, secrets);
    if (problem === undefined) tokens.push(Object.freeze({ name, reveal: () => secret, pipelines, namespace, allow }));
    else diagnostics.push(createDiagnostic("DITTO716", { file: scope.file, span, arguments: { name, problem } }));
    secrets.add(secret);
  }
  return { tokens, diagnostics };
}

const outside = /^\$\{(?:env:(?<variable>[A-Za-z_]\w*)|file:(?<path>[^}]+))\}$/u;

function secretOf(
  { name, token }: { readonly name: string; readonly token: string },
  { file, span, folder, env, literal, diagnostics }: TokenScope & { readonly span: Span; readonly diagnostics: Diagnostic[] },
): string | undefined {
  const { variable, path } = outside.exec(token)?.groups ?? {};
  if (variable !== undefined) {
    const value = env[variable];
    if (value !== undefined && value !== "") return value;
    const suggestion = nearestName(variable, Object.keys(env));
    diagnostics.push(createDiagnostic("DITTO304", { file, span, arguments: { name: variable }, suggestion }));
    return undefined;
  }
  if (path !== undefined) {
    try {
      return readFileSync(resolve(folder, path), "utf8").replace(/\r?\n$/u, "");
    } catch {
      diagnostics.push(createDiagnostic("DITTO306", { file, span, arguments: { path, reason: "it is missing, or reading it is not permitted" } }));
      return undefined;
    }
  }
  if (literal && !token.includes("${")) return token;
  diagnostics.push(createDiagnostic("DITTO715", { file: withoutText(file, span), span, arguments: { name } }));
  return undefined;
}

/** The lines around a place are shown with it, and a log is no better a place for a secret. */
function withoutText({ path, text }: SourceFile, { start, end }: Span): SourceFile {
  return { path, text: `${text.slice(0, start)}${text.slice(start, end).replace(/[^\n]/gu, "*")}${text.slice(end)}` };
}

/** Fewer characters are guessed. */
const shortest = 8;

function secretProblem(secret: string, others: ReadonlySet<string>): string | undefined {
  if (!/^[\x21-\x7e]+$/u.test(secret)) return "must be visible ASCII without spaces";
  if (secret.length < shortest) return `is shorter than ${shortest} characters`;
  return others.has(secret) ? "is another one's too" : undefined;
}
