import { loadProject } from "../../live/load-project.ts";
import type { LoadedPlugin } from "../../plugin/kind-registry.ts";
import { hasErrors } from "../../diagnostics/diagnostic.ts";
import type { CliCall, CliCommand } from "../cli-command.ts";
import type { CliContext } from "../cli-context.ts";
import { meantName } from "../collection-argument.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { formatDiagnostics } from "../render/format-diagnostics.ts";
import { type Paint, paintFor } from "../render/paint.ts";
import { UsageError } from "../usage-error.ts";

/** `ditto plugins`: what pipelines can use. */
export const pluginsCommand: CliCommand = {
  declare: (command) => {
    command.argument("[name]", "a plugin or one of its kinds; all plugins are listed otherwise").option("--json", "print it as JSON");
  },
  examples: [
    ["ditto plugins", "every kind by plugin"],
    ["ditto plugins hybrid", "one kind with its configuration and an example"],
  ],
  run: plugins,
};

async function plugins({ args, options, context }: CliCall): Promise<ExitCode> {
  const { registry, diagnostics } = await loadProject(context.cwd);
  context.err.write(formatDiagnostics(diagnostics, { format: "pretty", files: [], color: context.err.color }));
  const [name] = args;
  const all = registry.plugins;
  const chosen = name === undefined ? all : choose(all, name);
  if (options["json"] === true) context.out.write(`${JSON.stringify(chosen.map(describe), null, 2)}\n`);
  else context.out.write(text(chosen, { whole: name !== undefined && !all.some(({ plugin }) => plugin.name === name), context }));
  return hasErrors(diagnostics) ? exitCodes.failed : exitCodes.fine;
}

/** The plugin of that name, or the plugins that bring a kind of that name, with that kind alone. */
function choose(all: readonly LoadedPlugin[], name: string): readonly LoadedPlugin[] {
  const plugin = all.find((candidate) => candidate.plugin.name === name);
  if (plugin !== undefined) return [plugin];
  const found = all.flatMap((loaded) => {
    const kinds = loaded.plugin.kinds.filter(({ kind }) => kind === name);
    return kinds.length === 0 ? [] : [{ ...loaded, plugin: { ...loaded.plugin, kinds } }];
  });
  if (found.length > 0) return found;
  const names = all.flatMap(({ plugin: { name: own, kinds } }) => [own, ...kinds.map(({ kind }) => kind)]);
  throw new UsageError(`no plugin or kind is called "${name}"`, { hint: meantName(name, names) });
}

function describe({ plugin, specifier }: LoadedPlugin) {
  return {
    name: plugin.name,
    specifier,
    kinds: plugin.kinds.map(({ kind, role, summary, schema, example }) => ({ kind, role, summary, schema, example })),
    nodes: Object.keys(plugin.nodes ?? {}),
    functions: Object.keys(plugin.functions ?? {}),
  };
}

function text(chosen: readonly LoadedPlugin[], { whole, context: { out } }: { readonly whole: boolean; readonly context: CliContext }): string {
  const paint = paintFor(out);
  const kinds = chosen.flatMap(({ plugin }) => plugin.kinds);
  const widths = { kind: Math.max(0, ...kinds.map(({ kind }) => kind.length)), role: Math.max(0, ...kinds.map(({ role }) => role.length)) };
  return chosen.map((loaded) => pluginText(loaded, { whole, paint, widths })).join("\n");
}

interface TextStyle {
  readonly whole: boolean;
  readonly paint: Paint;
  readonly widths: { readonly kind: number; readonly role: number };
}

function pluginText({ plugin, specifier }: LoadedPlugin, { whole, paint, widths }: TextStyle): string {
  const heading = specifier === plugin.name || specifier === "core" ? plugin.name : `${plugin.name} (${specifier})`;
  const kinds = [...plugin.kinds].sort((a, b) => (a.kind < b.kind ? -1 : 1));
  const lines = kinds.flatMap(({ kind, role, summary, schema, example }) => [
    `  ${paint("cyan", kind.padEnd(widths.kind))}  ${paint("dim", role.padEnd(widths.role))}  ${summary}`,
    ...(whole ? ["", ...settings(schema), "", `    example: ${JSON.stringify({ [kind]: example })}`] : []),
  ]);
  const nodes = Object.keys(plugin.nodes ?? {});
  const functions = Object.keys(plugin.functions ?? {});
  if (!whole && nodes.length > 0) lines.push(`  nodes: ${nodes.sort().join(", ")}`);
  if (!whole && functions.length > 0) lines.push(`  functions: ${functions.sort().join(", ")}`);
  return `${[paint("bold", heading), ...lines].join("\n")}\n`;
}

function settings(schema: LoadedPlugin["plugin"]["kinds"][number]["schema"]): readonly string[] {
  const properties = Object.entries(schema.properties ?? {});
  const width = Math.max(0, ...properties.map(([name]) => name.length));
  return properties.map(([name, property]) => {
    const needed = schema.required?.includes(name) === true ? " (required)" : "";
    return `    ${name.padEnd(width)}  ${property.description ?? (typeof property.type === "string" ? property.type : "")}${needed}`.trimEnd();
  });
}
