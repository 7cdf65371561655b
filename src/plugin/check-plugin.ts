import { isRecord } from "../base/is-record.ts";
import { type PluginDefinition, pluginApiVersion } from "./plugin-definition.ts";
import type { PluginProblem } from "./plugin-problem.ts";

const roles = new Set(["connection", "collection", "search", "embedding", "reranker", "call", "memory-store", "context-store", "worker"]);

/**
 * Checks at the door what a plugin module exports by default.
 *
 * @param value The default export.
 * @param specifier The name in `ditto.yaml`.
 * @returns The plugin, or the first thing that is wrong with it.
 */
export function checkPlugin(value: unknown, specifier: string): { readonly plugin: PluginDefinition } | { readonly problem: PluginProblem } {
  const wrong = (detail: string) => ({ problem: { kind: "not-a-plugin", specifier, detail } as const });
  if (!isRecord(value) || value.apiVersion === undefined) return wrong("its default export is not an object made by definePlugin");
  if (value.apiVersion !== pluginApiVersion) {
    const found = typeof value.apiVersion === "number" ? String(value.apiVersion) : "unknown";
    return { problem: { kind: "version", specifier, found, expected: pluginApiVersion } };
  }
  if (typeof value.name !== "string" || !/^[a-z][a-z0-9-]*$/.test(value.name)) return wrong("`name` must be lower-case letters, digits and hyphens");
  if (!Array.isArray(value.kinds)) return wrong("`kinds` must be a list");
  for (const kind of value.kinds) {
    const detail = kindFault(kind, value.name);
    if (detail !== undefined) return wrong(detail);
  }
  return { plugin: value as unknown as PluginDefinition };
}

function kindFault(kind: unknown, plugin: string): string | undefined {
  if (!isRecord(kind) || typeof kind.kind !== "string") return "each of `kinds` must be made by defineKind";
  const name = kind.kind;
  if (name !== plugin && !name.startsWith(`${plugin}.`)) return `the kind "${name}" must be named "${plugin}" or "${plugin}.something"`;
  if (typeof kind.role !== "string" || !roles.has(kind.role)) return `the kind "${name}" has no known role`;
  if (!isRecord(kind.schema)) return `the kind "${name}" has no schema`;
  if ((typeof kind.open === "function") === (typeof kind.create === "function")) return `the kind "${name}" must have exactly one of open and create`;
  return undefined;
}
