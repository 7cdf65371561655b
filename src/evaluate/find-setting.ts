import { nearestName } from "../base/nearest-names.ts";
import type { DocumentNode, MappingNode } from "../document/document.ts";
import { entryOf, nodeAt } from "../document/find-node.ts";

/** Where a setting stands or belongs: a key of a mapping, which need not be there yet. */
export interface SettingPlace {
  /** Pointer to the mapping. */
  readonly pointer: string;
  readonly mapping: DocumentNode;
  readonly key: string;
}

/** The strategy that is tuned. */
export interface TunedStrategy {
  readonly target: string;
  readonly strategy: string;
}

/** Kinds that take a setting which the file need not name. */
const takers: Readonly<Record<string, readonly string[]>> = {
  rrfK: ["hybrid"],
  fusion: ["hybrid"],
  candidateLimit: ["hybrid", "rerank", "refine"],
  lambda: ["mmr"],
};

/**
 * Finds the place of a setting.
 *
 * `weight.NAME` and `limit.NAME` are a branch's; `vars.NAME` is a variable; what begins with `/` is a JSON pointer into the file; any other
 * name is looked for in the strategy, and then in its siblings.
 *
 * @param root The file.
 * @param name The setting.
 * @returns The place, or the end of a sentence that says why there is none.
 */
export function findSetting(root: DocumentNode, name: string, { target, strategy }: TunedStrategy): SettingPlace | { readonly problem: string } {
  if (name.startsWith("/") || name.startsWith("vars.")) return atPointer(root, name.startsWith("/") ? name : `/vars/${name.slice(5)}`);
  const strategies = nodeAt(root, `/targets/${target}/strategies`)?.node;
  const own = entryOf(strategies, strategy)?.value;
  if (strategies === undefined || own === undefined)
    return { problem: `the strategy "${strategy}" is not declared in this file; tune the file that declares it` };
  const below = `/targets/${target}/strategies`;
  const places = candidates(own, `${below}/${strategy}`, name);
  const found = places.length > 0 ? places : candidates(strategies, below, name);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (found.length > 1) return { problem: `there are ${found.length} places for it: name one by its pointer, such as ${only?.pointer}/${only?.key}` };
  const near = nearestName(name, namesIn(own));
  return { problem: `the strategy "${strategy}" has no such setting${near === undefined ? "" : `; did you mean "${near}"?`}` };
}

function atPointer(root: DocumentNode, pointer: string): SettingPlace | { readonly problem: string } {
  const at = pointer.lastIndexOf("/");
  const parent = nodeAt(root, pointer.slice(0, at));
  const key = pointer
    .slice(at + 1)
    .replaceAll("~1", "/")
    .replaceAll("~0", "~");
  if (parent?.node.kind !== "mapping") return { problem: `the file has no mapping at "${pointer.slice(0, at)}"` };
  return { pointer: pointer.slice(0, at), mapping: parent.node, key };
}

function candidates(node: DocumentNode, pointer: string, name: string): readonly SettingPlace[] {
  const [member, branch] = name.includes(".") ? (name.split(".", 2) as [string, string]) : [name, undefined];
  const found: SettingPlace[] = [];
  walk(node, pointer, (mapping, at) => {
    if (branch !== undefined) {
      const own = entryOf(entryOf(mapping, "branches")?.value, branch);
      if (own !== undefined) found.push({ pointer: `${at}/branches/${branch}`, mapping: own.value, key: member });
    } else if (entryOf(mapping, member) !== undefined) found.push({ pointer: at, mapping, key: member });
  });
  if (found.length > 0 || branch !== undefined) return found;
  walk(node, pointer, (mapping, at) => {
    for (const kind of takers[member] ?? []) {
      const configuration = entryOf(mapping, kind)?.value;
      if (configuration?.kind === "mapping") found.push({ pointer: `${at}/${kind}`, mapping: configuration, key: member });
    }
  });
  return found;
}

function walk(node: DocumentNode, pointer: string, visit: (mapping: MappingNode, pointer: string) => void): void {
  if (node.kind === "mapping") {
    visit(node, pointer);
    for (const { key, value } of node.entries) walk(value, `${pointer}/${key.text}`, visit);
  } else if (node.kind === "sequence") for (const [index, item] of node.items.entries()) walk(item, `${pointer}/${index}`, visit);
}

/** Everything that could be meant. */
function namesIn(node: DocumentNode): readonly string[] {
  const names = new Set(Object.keys(takers));
  walk(node, "", (mapping) => {
    for (const { key } of mapping.entries) names.add(key.text);
    const branches = entryOf(mapping, "branches")?.value;
    if (branches?.kind === "mapping") for (const { key } of branches.entries) names.add(`weight.${key.text}`).add(`limit.${key.text}`);
  });
  return [...names];
}
