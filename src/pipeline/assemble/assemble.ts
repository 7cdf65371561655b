import { dirname } from "node:path";
import { createDiagnostic, type Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { MappingNode, SourceFile } from "../../document/document.ts";
import type { KindRegistry } from "../../plugin/kind-registry.ts";
import type { Assembled, AssembledTarget, Named } from "../model/assembled.ts";
import type { LoadedFile } from "../model/loaded-file.ts";
import { member } from "../model/node-access.ts";
import { mergeResource } from "./merge-resource.ts";

/**
 * Joins a pipeline file, what it includes, and one profile.
 *
 * @param files The main file first, then every file that is included, each once.
 * @param options `profile` is the one to merge in; `registry` tells where components stand inside a configuration.
 */
export function assemble(
  files: readonly [LoadedFile, ...LoadedFile[]],
  options: { readonly profile: string | undefined; readonly registry: KindRegistry },
): { readonly assembled: Assembled; readonly diagnostics: readonly Diagnostic[] } {
  const [main] = files;
  const diagnostics: Diagnostic[] = [];
  const resources = collect(files, "resources", diagnostics);
  const targets = collect(files, "targets", diagnostics).map(assembleTarget);
  const vars = new Map<SourceFile, readonly Named[]>(files.map(({ file, root }) => [file, entriesOf(member(root, "vars"), file)]));

  const profiles = entriesOf(member(main.root, "profiles"), main.file);
  const profile = profiles.find(({ name }) => name === options.profile);
  const chosen = profile?.node.kind === "mapping" ? profile.node : undefined;
  const assembled: Assembled = {
    main: main.file,
    root: main.root,
    folders: new Map(files.map(({ file, path }) => [file, dirname(path)])),
    resources: overlay(resources, entriesOf(chosen && member(chosen, "resources"), main.file), options.registry),
    targets,
    vars: new Map([...vars, [main.file, overlayWhole(vars.get(main.file) ?? [], entriesOf(chosen && member(chosen, "vars"), main.file))]]),
    profile: options.profile,
    profiles: profiles.map(({ name }) => name),
  };
  return { assembled, diagnostics };
}

/** The entries of a section over all files; a name that two files declare is an error at the second, naming both places. */
function collect(files: readonly LoadedFile[], section: "resources" | "targets", diagnostics: Diagnostic[]): Named[] {
  const found = new Map<string, Named>();
  for (const { file, root } of files) {
    for (const entry of entriesOf(member(root, section), file)) {
      const first = found.get(entry.name);
      if (first === undefined) found.set(entry.name, entry);
      else diagnostics.push(collision(section === "resources" ? "the resource" : "the target", entry, first));
    }
  }
  return [...found.values()];
}

function collision(section: string, entry: Named, first: Named): Diagnostic {
  return createDiagnostic("DITTO118", {
    file: entry.file,
    span: entry.key.span,
    arguments: { section, name: entry.name, other: first.file.path },
    related: [{ file: first.file, span: first.key.span, note: "declared here as well" }],
  });
}

function entriesOf(node: MappingNode["entries"][number]["value"] | undefined, file: SourceFile): Named[] {
  if (node?.kind !== "mapping") return [];
  return node.entries.map(({ key, value }) => ({ name: key.text, key, node: value, file }));
}

function assembleTarget(named: Named): AssembledTarget {
  const { node, file } = named;
  if (node.kind !== "mapping") return { ...named, default: undefined, strategies: [] };
  const chosen = member(node, "default");
  return { ...named, default: chosen?.kind === "scalar" ? chosen : undefined, strategies: entriesOf(member(node, "strategies"), file) };
}

function overlay(base: readonly Named[], over: readonly Named[], registry: KindRegistry): Named[] {
  const merged = new Map(base.map((entry) => [entry.name, entry]));
  for (const entry of over) {
    const below = merged.get(entry.name);
    // What another file declares is replaced as a whole: a component never has places in two files.
    merged.set(entry.name, below === undefined || below.file !== entry.file ? entry : { ...entry, node: mergeResource(below.node, entry.node, registry) });
  }
  return [...merged.values()];
}

function overlayWhole(base: readonly Named[], over: readonly Named[]): Named[] {
  return [...new Map([...base, ...over].map((entry) => [entry.name, entry])).values()];
}
