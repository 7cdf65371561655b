import type { RoleName } from "../contracts/json-schema.ts";
import type { AnyKindDefinition, FunctionDefinition, NodeSchemas, PluginDefinition } from "./plugin-definition.ts";
import type { PluginProblem } from "./plugin-problem.ts";

/** A kind together with the plugin that brought it. */
export interface RegisteredKind {
  readonly definition: AnyKindDefinition;
  readonly plugin: PluginDefinition;
  /** Changes whenever the plugin's code does; part of a component's digest. */
  readonly pluginDigest: string;
}

/** Everything that the loaded plugins bring, by name. */
export interface KindRegistry {
  /** The kind of that name and role. */
  kind(role: RoleName, kind: string): RegisteredKind | undefined;
  /** The roles in which a kind of that name exists. */
  rolesOf(kind: string): readonly RoleName[];
  /** Kinds of one role, sorted by name. */
  kindsOf(role: RoleName): readonly RegisteredKind[];
  readonly nodes: ReadonlyMap<string, NodeSchemas>;
  readonly functions: ReadonlyMap<string, FunctionDefinition>;
  readonly plugins: readonly LoadedPlugin[];
}

/** A plugin with where it came from. */
export interface LoadedPlugin {
  readonly plugin: PluginDefinition;
  /** The specifier that named it; `core` for the kinds that are always there. */
  readonly specifier: string;
  /** The file of a file plugin, which can be reloaded; absent for packages and built-in ones. */
  readonly file?: string | undefined;
  /** The module of a package plugin, absolute: its new code needs a new process. */
  readonly entry?: string | undefined;
  readonly digest: string;
}

/**
 * Joins plugins into one registry; a name that two of them bring is a problem, and the first one keeps it.
 *
 * @param plugins The plugins in the order of `ditto.yaml`, the core first.
 */
export function createKindRegistry(plugins: readonly LoadedPlugin[]): { readonly registry: KindRegistry; readonly problems: readonly PluginProblem[] } {
  const problems: PluginProblem[] = [];
  const kinds = new Map<string, RegisteredKind>();
  const nodes = new Map<string, NodeSchemas>();
  const functions = new Map<string, FunctionDefinition>();
  for (const { plugin, specifier, digest } of plugins) {
    const clash = (what: string, name: string): void => {
      problems.push({ kind: "clash", specifier, what, name });
    };
    for (const definition of plugin.kinds) {
      const key = `${definition.role} ${definition.kind}`;
      if (kinds.has(key)) clash(`the ${definition.role} kind`, definition.kind);
      else kinds.set(key, { definition, plugin, pluginDigest: digest });
    }
    for (const [name, node] of Object.entries(plugin.nodes ?? {})) {
      if (nodes.has(name)) clash("the node", name);
      else nodes.set(name, node);
    }
    for (const [name, definition] of Object.entries(plugin.functions ?? {})) {
      if (functions.has(name)) clash("the function", name);
      else functions.set(name, definition);
    }
  }
  return { registry: freezeRegistry({ kinds, nodes, functions, plugins }), problems };
}

function freezeRegistry(parts: {
  readonly kinds: ReadonlyMap<string, RegisteredKind>;
  readonly nodes: ReadonlyMap<string, NodeSchemas>;
  readonly functions: ReadonlyMap<string, FunctionDefinition>;
  readonly plugins: readonly LoadedPlugin[];
}): KindRegistry {
  const all = [...parts.kinds.values()].sort((a, b) => (a.definition.kind < b.definition.kind ? -1 : 1));
  return Object.freeze({
    kind: (role: RoleName, kind: string) => parts.kinds.get(`${role} ${kind}`),
    rolesOf: (kind: string) => all.filter((entry) => entry.definition.kind === kind).map((entry) => entry.definition.role),
    kindsOf: (role: RoleName) => all.filter((entry) => entry.definition.role === role),
    nodes: parts.nodes,
    functions: parts.functions,
    plugins: parts.plugins,
  });
}
