import { resolve } from "node:path";
import { nearestName } from "../base/nearest-names.ts";
import type { RuntimeConfig, SandboxPolicy } from "../contracts/runtime-config.ts";
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../document/document.ts";

/** The variables of a process, or what stands for them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What the environment says about the Runtime. */
export interface EnvironmentSettings extends Pick<RuntimeConfig, "environment" | "workspace" | "sandbox"> {
  readonly diagnostics: readonly Diagnostic[];
}

const switches = { DITTO_SHARED_SANDBOX_ALLOW_READ: "read", DITTO_SHARED_SANDBOX_ALLOW_WRITE: "write", DITTO_SHARED_SANDBOX_ALLOW_EXECUTE: "execute" } as const;
const lists = {
  DITTO_SHARED_SANDBOX_ALLOW_TOOLS: "tools",
  DITTO_SHARED_SANDBOX_ALLOW_MCP: "mcp",
  DITTO_SHARED_SANDBOX_ALLOW_SKILLS: "skills",
  DITTO_SHARED_SANDBOX_ALLOW_NETWORK: "network",
} as const;
const known: readonly string[] = ["DITTO_RUNTIME_ENVIRONMENT", "DITTO_RUNTIME_WORKSPACE", ...Object.keys(switches), ...Object.keys(lists)];

/** Where findings about variables stand: their values are in no file that could be shown. */
const environmentFile: SourceFile = Object.freeze({ path: "environment", text: "" });

/**
 * Reads the variables of the Runtime and its Sandbox. An empty variable counts as unset.
 *
 * @param env The variables.
 * @returns The settings, what is wrong left out, and the diagnostics. No diagnostic shows a value.
 */
export function readEnvironment(env: Environment): EnvironmentSettings {
  const diagnostics = unknownSettings(env);
  const wrong = (name: string, expected: string): undefined => {
    diagnostics.push(createDiagnostic("DITTO711", { ...place, arguments: { name, expected } }));
  };
  const sandbox: { -readonly [K in keyof SandboxPolicy]: SandboxPolicy[K] } = {};
  for (const [name, key] of Object.entries(switches)) {
    const text = env[name]?.trim().toLowerCase() ?? "";
    if (["true", "1", "false", "0"].includes(text)) sandbox[key] = text === "true" || text === "1";
    else if (text !== "") wrong(name, "true or false");
  }
  for (const [name, key] of Object.entries(lists)) {
    const items = (env[name] ?? "").split(",").flatMap((item) => (item.trim() === "" ? [] : [item.trim()]));
    if (items.length === 0) continue;
    const names = key === "network" ? items.map(origin) : items;
    if (names.includes(undefined)) wrong(name, "a list of origins such as https://api.example.com, separated by commas, or *");
    else sandbox[key] = names.filter((item) => item !== undefined);
  }
  return {
    environment: filled(env.DITTO_RUNTIME_ENVIRONMENT) ?? "development",
    workspace: resolve(filled(env.DITTO_RUNTIME_WORKSPACE) ?? "."),
    sandbox,
    diagnostics,
  };
}

const place = { file: environmentFile, span: { start: 0, end: 0 } };

function filled(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text.trim();
}

function unknownSettings(env: Environment): Diagnostic[] {
  const unknown = Object.keys(env).filter((name) => /^DITTO_(?:RUNTIME|SHARED)_/u.test(name) && !known.includes(name));
  return unknown.sort().map((name) => createDiagnostic("DITTO712", { ...place, arguments: { name }, suggestion: nearestName(name, known) }));
}

/** An origin as the Sandbox compares it; a trailing slash is taken off, a path or credentials are refused. */
function origin(text: string): string | undefined {
  if (text === "*") return text;
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.origin !== "null" && url.href === `${url.origin}/` ? url.origin : undefined;
}
