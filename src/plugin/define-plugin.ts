import type { RoleName } from "../contracts/json-schema.ts";
import type { KindDefinition, PluginDefinition } from "./plugin-definition.ts";

/**
 * Declares a plugin; a plugin module's default export is what this returns.
 *
 * @param definition Name, API version, kinds, and optionally node contracts and functions.
 * @returns The same definition, frozen.
 * @example
 * ```ts
 * export default definePlugin({ name: "acme", apiVersion: 1, kinds: [acmeSearch] });
 * ```
 */
export function definePlugin(definition: PluginDefinition): PluginDefinition {
  return Object.freeze({ ...definition });
}

/**
 * Declares a kind with its configuration typed.
 *
 * @param definition The kind; see {@link KindDefinition}.
 * @returns The same definition, frozen.
 * @example
 * ```ts
 * const acmeSearch = defineKind<"search", { readonly index: string }>({
 *   kind: "acme.search",
 *   role: "search",
 *   summary: "Searches an Acme index.",
 *   schema: { type: "object", required: ["index"], additionalProperties: false, properties: { index: { type: "string" } } },
 *   example: { index: "articles" },
 *   create: ({ index }) => acmeProvider(index),
 * });
 * ```
 */
export function defineKind<R extends RoleName, C>(definition: KindDefinition<R, C>): KindDefinition<R, C> {
  return Object.freeze({ ...definition });
}
