import { dirname } from "node:path";
import { createDiagnostic, type Diagnostic, type DiagnosticDetails } from "../../diagnostics/diagnostic.ts";
import type { DocumentNode, SourceFile } from "../../document/document.ts";
import type { KindRegistry } from "../../plugin/kind-registry.ts";
import type { Assembled, AssembledTarget, Named } from "../model/assembled.ts";
import type { LoadedFile } from "../model/loaded-file.ts";
import { member } from "../model/node-access.ts";
import { isSameKind, mergeResource } from "./merge-resource.ts";

/**
 * Joins a pipeline file, what it includes, and one profile: each file's own part of it, then the main file's over all.
 *
 * @param files The main file first, then every file that is included, each once.
 * @param options `profile` is the one to merge in; `registry` tells where components stand inside a configuration; `complete` whether all
 *   that is included could be read.
 */
export function assemble(
  files: readonly [LoadedFile, ...LoadedFile[]],
  options: { readonly profile: string | undefined; readonly registry: KindRegistry; readonly complete: boolean },
): { readonly assembled: Assembled; readonly diagnostics: readonly Diagnostic[] } {
  const [main, ...included] = files;
  const diagnostics: Diagnostic[] = [];
  let resources = collect(files, "resources", diagnostics);
  for (const file of [...included, main])
    resources = overlay(resources, profileEntries(file, "resources", options.profile), { registry: options.registry, diagnostics });
  const assembled: Assembled = {
    main: main.file,
    root: main.root,
    folders: new Map(files.map(({ file, path }) => [file, dirname(path)])),
    resources,
    targets: collect(files, "targets", diagnostics).map(assembleTarget),
    vars: new Map(
      files.map((file) => [file.file, overlayWhole(entriesOf(member(file.root, "vars"), file.file), profileEntries(file, "vars", options.profile))]),
    ),
    profile: options.profile,
    profiles: [...new Set(files.flatMap(({ file, root }) => entriesOf(member(root, "profiles"), file).map(({ name }) => name)))],
    incomplete: new Set(
      (["resources", "targets"] as const).filter((section) => !options.complete || files.some(({ root }) => isBroken(member(root, section)))),
    ),
  };
  return { assembled, diagnostics };
}

function profileEntries({ file, root }: LoadedFile, section: "resources" | "vars", name: string | undefined): Named[] {
  const profile = entriesOf(member(root, "profiles"), file).find((entry) => entry.name === name);
  return profile === undefined ? [] : entriesOf(member(profile.node, section), file);
}

/** A section that is no mapping declares nothing that one could count on. */
function isBroken(node: DocumentNode | undefined): boolean {
  return node !== undefined && node.kind !== "mapping";
}

/** The entries of a section over all files; a name that two files declare is an error at the second, naming both places. */
function collect(files: readonly LoadedFile[], section: "resources" | "targets", diagnostics: Diagnostic[]): Named[] {
  const found = new Map<string, Named>();
  for (const { file, root } of files) {
    for (const entry of entriesOf(member(root, section), file)) {
      const first = found.get(entry.name);
      if (first === undefined) found.set(entry.name, entry);
      else diagnostics.push(createDiagnostic("DITTO118", collisionPlace(section === "resources" ? "the resource" : "the target", entry, first)));
    }
  }
  return [...found.values()];
}

function collisionPlace(section: string, entry: Named, first: Named): DiagnosticDetails<"DITTO118"> {
  return {
    file: entry.file,
    span: entry.key.span,
    arguments: { section, name: entry.name, other: first.file.path },
    related: [{ file: first.file, span: first.key.span, note: "declared here as well" }],
  };
}

function entriesOf(node: DocumentNode | undefined, file: SourceFile): Named[] {
  if (node?.kind !== "mapping") return [];
  return node.entries.map(({ key, value }) => ({ name: key.text, key, node: value, file }));
}

function assembleTarget(named: Named): AssembledTarget {
  const { node, file } = named;
  if (node.kind !== "mapping") return { ...named, default: undefined, strategies: [] };
  const chosen = member(node, "default");
  return { ...named, default: chosen?.kind === "scalar" ? chosen : undefined, strategies: entriesOf(member(node, "strategies"), file) };
}

function overlay(
  base: readonly Named[],
  over: readonly Named[],
  { registry, diagnostics }: { readonly registry: KindRegistry; readonly diagnostics: Diagnostic[] },
): Named[] {
  const merged = new Map(base.map((entry) => [entry.name, entry]));
  for (const entry of over) {
    const below = merged.get(entry.name);
    const sameFile = below?.file === entry.file;
    // A component has its paths from one folder and its places in one file: another file can only put another kind in its place.
    if (below !== undefined && !sameFile && isSameKind(below.node, entry.node)) {
      const hint = `a file changes what it declares itself: write this profile into ${below.file.path}`;
      diagnostics.push(createDiagnostic("DITTO118", { ...collisionPlace("the resource", entry, below), hint }));
    }
    merged.set(entry.name, below === undefined || !sameFile ? entry : { ...entry, node: mergeResource(below.node, entry.node, registry) });
  }
  return [...merged.values()];
}

function overlayWhole(base: readonly Named[], over: readonly Named[]): Named[] {
  return [...new Map([...base, ...over].map((entry) => [entry.name, entry])).values()];
}
