import { dirname, resolve as resolvePath } from "node:path";
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../document/document.ts";
import type { LoadedFile } from "./model/loaded-file.ts";
import { member, stringValue } from "./model/node-access.ts";
import type { Place } from "./model/place.ts";
import { parseSource } from "./parse/parse-source.ts";
import { readSource, shownPath } from "./read/read-source.ts";
import { validateFile } from "./validate/validate-file.ts";

/** What reading a file and its includes gave. */
export interface ReadFiles {
  /** The main file first; it is missing where it cannot be read at all. */
  readonly files: readonly LoadedFile[];
  readonly diagnostics: readonly Diagnostic[];
  /** Every path that was tried, absolute. */
  readonly paths: readonly string[];
  /** Whether all that is included could be read: otherwise names may be missing that are no mistake. */
  readonly complete: boolean;
}

/**
 * Reads and parses a file and everything it includes, each file once, and judges the form of each.
 *
 * @param path Absolute path of the main file.
 * @param text Its text, where it is not on the disk.
 */
export function readFiles(path: string, text: string | undefined): ReadFiles {
  const reader = new FileReader();
  reader.read(path, { trail: [], text });
  return { files: reader.files, diagnostics: reader.diagnostics, paths: [...reader.paths], complete: reader.complete };
}

interface Step {
  readonly path: string;
  readonly place: Place;
}

class FileReader {
  readonly files: LoadedFile[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly paths: Set<string> = new Set();
  complete = true;

  read(path: string, { trail, text }: { readonly trail: readonly Step[]; readonly text?: string | undefined }): void {
    const last = trail.at(-1);
    const circle = trail.findIndex((step) => step.path === path);
    if (circle !== -1) {
      this.#reportCircle(path, trail.slice(circle));
      return;
    }
    if (this.paths.has(path)) return;
    this.paths.add(path);
    const source = text === undefined ? readSource(path, last?.place) : { file: { path: shownPath(path), text: text.replace(/^\ufeff/u, "") } };
    if ("diagnostic" in source) {
      this.diagnostics.push(source.diagnostic);
      this.complete = false;
      return;
    }
    const parsed = parseSource(source.file);
    this.diagnostics.push(...parsed.diagnostics);
    if (parsed.root === undefined) {
      this.complete = false;
      return;
    }
    const { root, diagnostics } = validateFile(parsed.root, { file: source.file, included: last !== undefined });
    this.diagnostics.push(...diagnostics);
    const includes = includesOf(root, { file: source.file, folder: dirname(path) });
    this.files.push({ path, file: source.file, root, includes });
    for (const include of includes) this.read(include.path, { trail: [...trail, { path, place: include.place }] });
  }

  #reportCircle(path: string, steps: readonly Step[]): void {
    const [first, ...others] = steps.map(({ place }) => place);
    if (first === undefined) return;
    const cycle = [...steps.map((step) => shownPath(step.path)), shownPath(path)].join(" -> ");
    this.diagnostics.push(
      createDiagnostic("DITTO117", { ...first, arguments: { cycle }, related: others.map((place) => ({ ...place, note: "included here" })) }),
    );
  }
}

function includesOf(root: LoadedFile["root"], { file, folder }: { readonly file: SourceFile; readonly folder: string }): LoadedFile["includes"] {
  const node = member(root, "include");
  if (node?.kind !== "sequence") return [];
  return node.items.flatMap((item) => {
    const name = stringValue(item);
    // An empty name or an expression was reported.
    return name === undefined || name === "" || name.includes("${") ? [] : [{ place: { file, span: item.span }, path: resolvePath(folder, name) }];
  });
}
