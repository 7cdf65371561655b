import type { JsonValue } from "../contracts/json.ts";
import type { RoleName } from "../contracts/json-schema.ts";
import { labelSchema } from "../kinds/search-options.ts";
import type { CompiledComponent } from "../pipeline/model/compiled.ts";
import { shortName } from "../pipeline/model/short-name.ts";
import type { Evaluate } from "../plugin/plugin-definition.ts";
import { codedEvaluate } from "./coded-evaluate.ts";

/**
 * Puts a component's configuration together as its kind gets it: live things in its slots, functions in its places, the
 * values from outside in theirs.
 *
 * @param values Live things by component id.
 */
export function assembleConfiguration({ component, evaluators }: CompiledComponent, values: ReadonlyMap<string, unknown>): unknown {
  const fills = new Map<string, unknown>(retrievalRoles.has(component.role) ? codedEvaluators({ component, evaluators }) : evaluators);
  for (const [pointer, id] of component.slots) fills.set(pointer, values.get(id));
  const labelled = component.registered?.definition.schema.properties?.label === labelSchema;
  // A label is there to be shown: it stays as the file has it.
  for (const [pointer, value] of component.outside) fills.set(pointer, labelled && pointer === "/label" ? value.shown : value.reveal());
  return fill(component.configuration, "", fills);
}

const retrievalRoles: ReadonlySet<RoleName> = new Set(["search", "reranker", "embedding", "call"]);

function codedEvaluators({ component, evaluators }: CompiledComponent): (readonly [string, Evaluate])[] {
  return [...evaluators].map(([pointer, evaluate]) => {
    const template = component.templates.get(pointer);
    return [
      pointer,
      template === undefined ? evaluate : codedEvaluate(evaluate, { template, label: `${shortName(component.id)}, ${template.label}` }),
    ] as const;
  });
}

function fill(value: JsonValue, pointer: string, fills: ReadonlyMap<string, unknown>): unknown {
  if (fills.has(pointer)) return fills.get(pointer);
  if (Array.isArray(value)) return value.map((item: JsonValue, index) => fill(item, `${pointer}/${index}`, fills));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, item]) => [key, fill(item as JsonValue, `${pointer}/${escaped(key)}`, fills)] as const);
  const missing = [...fills].flatMap(([at, found]) => {
    const rest = at.startsWith(`${pointer}/`) ? at.slice(pointer.length + 1) : "";
    const key = rest.replaceAll("~1", "/").replaceAll("~0", "~");
    return rest === "" || rest.includes("/") || key in value ? [] : [[key, found] as const];
  });
  return Object.fromEntries([...members, ...missing]);
}

function escaped(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
