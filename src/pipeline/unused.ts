import { nearestName } from "../base/nearest-names.ts";
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { DocumentNode } from "../document/document.ts";
import { namePattern } from "../../schema/patterns.ts";
import type { Named } from "./model/assembled.ts";
import type { LoadedFile } from "./model/loaded-file.ts";
import { member } from "./model/node-access.ts";

/**
 * Tells of resources and variables that nothing uses, whatever profile is chosen.
 *
 * It says nothing while the file has mistakes that could hide a use: a misspelt key, an unknown name, a missing file.
 *
 * @param main The main file.
 * @param found `unused`: for each profile that was judged, the resources that nothing uses; `diagnostics`: everything that was found.
 */
export function reportUnused(
  main: LoadedFile,
  { unused, diagnostics }: { readonly unused: readonly (readonly Named[] | undefined)[]; readonly diagnostics: readonly Diagnostic[] },
): readonly Diagnostic[] {
  if (diagnostics.some(hidesUses)) return [];
  return [...unusedResources(unused), ...unusedVariables(main)].map(({ what, named: { key, name, file } }) =>
    createDiagnostic("DITTO321", { file, span: key.span, arguments: { what, name } }),
  );
}

interface Unused {
  readonly what: string;
  readonly named: Pick<Named, "key" | "name" | "file">;
}

const names = new RegExp(namePattern, "u");

function unusedResources(unused: readonly (readonly Named[] | undefined)[]): readonly Unused[] {
  if (unused.includes(undefined)) return [];
  const everywhere = (unused[0] ?? []).filter(({ name }) => unused.every((list) => list?.some((other) => other.name === name)));
  return everywhere.filter(({ name }) => names.test(name)).map((named) => ({ what: "the resource", named }));
}

/** Mistakes that leave a name where nobody finds it, or keep a whole part from being read. */
function hidesUses({ code, severity }: Diagnostic): boolean {
  return severity === "error" && (/^DITTO[126]/u.test(code) || /^DITTO(?:30[123]|31[45]|324|40[123]|501)$/u.test(code));
}

/** A variable is used where any scalar of its file reads it, in whatever profile. */
function unusedVariables({ root, file }: LoadedFile): readonly Unused[] {
  const profiles = member(root, "profiles");
  const sections = [member(root, "vars"), ...(profiles?.kind === "mapping" ? profiles.entries.map(({ value }) => member(value, "vars")) : [])];
  const declared = sections.flatMap((section) => (section?.kind === "mapping" ? section.entries : []));
  if (declared.length === 0) return [];
  const read = new Set<string>();
  if (!collectReads(root, read)) return [];
  for (const name of [...read]) {
    // What was probably meant is not unused as well.
    const meant = declared.some(({ key }) => key.text === name)
      ? undefined
      : nearestName(
          name,
          declared.map(({ key }) => key.text),
        );
    if (meant !== undefined) read.add(meant);
  }
  return declared.filter(({ key }) => !read.has(key.text)).map(({ key }) => ({ what: "the variable", named: { key, name: key.text, file } }));
}

/** Adds the variables that a tree reads; false where one of its expressions reads them in a way that names none. */
function collectReads(node: DocumentNode, read: Set<string>): boolean {
  if (node.kind === "sequence") return node.items.every((item) => collectReads(item, read));
  if (node.kind === "mapping") return node.entries.every(({ value }) => collectReads(value, read));
  if (!node.text.includes("${")) return true;
  for (const [, member, index] of node.text.matchAll(/\bvars\b(?:\s*\.\s*\??\s*([A-Za-z_]\w*)|\s*\[\s*\??\s*["'](\w+)["']\s*\])?/gu)) {
    const name = member ?? index;
    if (name === undefined) return false;
    read.add(name);
  }
  return true;
}
