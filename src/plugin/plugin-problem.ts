/** What can be wrong with a plugin, as data; the reader of `ditto.yaml` turns it into a diagnostic at the plugin's name. */
export type PluginProblem =
  /** No module of that name can be found. */
  | { readonly kind: "missing"; readonly specifier: string }
  /** The module throws while it is imported. */
  | { readonly kind: "throws"; readonly specifier: string; readonly cause: unknown }
  /** A package that the module imports is not installed. */
  | { readonly kind: "driver-missing"; readonly specifier: string; readonly driver: string }
  /** The default export is not what `definePlugin` returns. */
  | { readonly kind: "not-a-plugin"; readonly specifier: string; readonly detail: string }
  /** Written for another version of the plugin contract. */
  | { readonly kind: "version"; readonly specifier: string; readonly found: string; readonly expected: number }
  /** It brings a name that is taken. */
  | { readonly kind: "clash"; readonly specifier: string; readonly what: string; readonly name: string };
