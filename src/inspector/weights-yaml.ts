import { entryOf } from "../document/find-node.ts";
import type { DocumentNode, MappingEntry } from "../document/document.ts";
import { nodeValue } from "../document/node-value.ts";
import { parseDocument } from "../document/parse-document.ts";
import { writeYaml } from "../document/write-yaml.ts";
import { isRecord } from "../base/is-record.ts";
import type { JsonValue } from "../contracts/json.ts";
import { componentsBelow } from "../explain/collections-below.ts";
import type { Plan } from "../pipeline/model/plan.ts";

/** Branches with other weights, to be pasted. */
export interface WeightsYaml {
  /** The file that they stand in. */
  readonly file: string;
  /** Where in it, by line from 1. */
  readonly line: number;
  readonly yaml: string;
}

/**
 * Writes the branches of a strategy's outermost fusion with other weights, as they stand in the file otherwise.
 *
 * @param plan The plan.
 * @param asked The strategy, and weights by branch.
 * @returns Undefined where the strategy has no hybrid whose branches are written out.
 */
export function weightsYaml(
  plan: Plan,
  asked: { readonly target: string; readonly strategy: string; readonly weights: Readonly<Record<string, number>> },
): WeightsYaml | undefined {
  const start = plan.targets[asked.target]?.strategies[asked.strategy];
  const below = start === undefined ? [] : [...componentsBelow(plan, start)];
  const hybrid = below.map((id) => plan.components.find((component) => component.id === id)).find((component) => component?.kind === "hybrid");
  if (hybrid === undefined) return undefined;
  const { file, span } = hybrid.place;
  const { root } = parseDocument(file);
  const entry = root === undefined ? undefined : entryAt(root, span.start);
  const branches = entryOf(entry?.value, "branches");
  if (branches === undefined) return undefined;
  const value = nodeValue(branches.value);
  if (!isRecord(value)) return undefined;
  const changed = Object.fromEntries(
    Object.entries(value as Record<string, JsonValue>).map(([name, branch]) => [name, withWeight(branch, asked.weights[name])]),
  );
  return { file: file.path, line: file.text.slice(0, branches.key.span.start).split("\n").length, yaml: writeYaml({ branches: changed }) };
}

function withWeight(branch: JsonValue, weight: number | undefined): JsonValue {
  if (weight === undefined) return branch;
  return { ...(isRecord(branch) ? (branch as Record<string, JsonValue>) : {}), weight };
}

/** The entry whose key stands at an offset. */
function entryAt(node: DocumentNode, offset: number): MappingEntry | undefined {
  if (node.kind === "scalar") return undefined;
  if (node.kind === "sequence") return node.items.map((item) => entryAt(item, offset)).find((found) => found !== undefined);
  for (const entry of node.entries) {
    if (entry.key.span.start === offset) return entry;
    const found = entryAt(entry.value, offset);
    if (found !== undefined) return found;
  }
  return undefined;
}
