import type { CliCommand } from "./cli-command.ts";

/** What can be asked for: known without loading any of it. */
export interface CommandEntry {
  readonly name: string;
  readonly usage: string;
  /** One line for the list of commands. */
  readonly summary: string;
  readonly load: () => Promise<CliCommand>;
}

/** The commands in the order in which `ditto --help` lists them. */
export const commandTable: readonly CommandEntry[] = [
  { name: "run", usage: "FILE", summary: "search with --query, or run a graph with --input", load: async () => (await import("./commands/run.ts")).runCommand },
  {
    name: "validate",
    usage: "[PATHS]",
    summary: "check pipeline files without running anything",
    load: async () => (await import("./commands/validate.ts")).validateCommand,
  },
  {
    name: "print",
    usage: "FILE",
    summary: "show a file's effective configuration and where each value comes from",
    load: async () => (await import("./commands/print.ts")).printCommand,
  },
  {
    name: "graph",
    usage: "FILE",
    summary: "draw how a file's parts hang together",
    load: async () => (await import("./commands/graph.ts")).graphCommand,
  },
  {
    name: "types",
    usage: "FILE",
    summary: "write TypeScript types of a file's graphs and searches",
    load: async () => (await import("./commands/types.ts")).typesCommand,
  },
  {
    name: "test",
    usage: "[PATHS]",
    summary: "run the pipeline tests of *.test.yaml files, without network",
    load: async () => (await import("./commands/test.ts")).testCommand,
  },
  {
    name: "eval",
    usage: "FILE",
    summary: "measure how good answers are by judged queries, compare, and find better settings",
    load: async () => (await import("./commands/eval.ts")).evalCommand,
  },
  { name: "ingest", usage: "FILE [NAME]", summary: "write records into collections", load: async () => (await import("./commands/ingest.ts")).ingestCommand },
  {
    name: "copy",
    usage: "FILE FROM TO",
    summary: "embed one collection anew into another",
    load: async () => (await import("./commands/copy.ts")).copyCommand,
  },
  {
    name: "setup",
    usage: "FILE",
    summary: "show or make what collections need on a server",
    load: async () => (await import("./commands/setup.ts")).setupCommand,
  },
  {
    name: "serve",
    usage: "[PATHS]",
    summary: "answer for pipelines over HTTP",
    load: async () => (await import("./commands/serve.ts")).serveCommand,
  },
  {
    name: "dev",
    usage: "[DIR]",
    summary: "watch pipelines while they are edited, with a page that shows why answers are what they are",
    load: async () => (await import("./commands/dev.ts")).devCommand,
  },
  {
    name: "plugins",
    usage: "[NAME]",
    summary: "list the kinds that pipelines can use",
    load: async () => (await import("./commands/plugins.ts")).pluginsCommand,
  },
  {
    name: "schema",
    usage: "",
    summary: "print the JSON Schema of pipeline files for editors",
    load: async () => (await import("./commands/schema.ts")).schemaCommand,
  },
  {
    name: "explain",
    usage: "CODE",
    summary: "say what a code such as DITTO204 means",
    load: async () => (await import("./commands/explain.ts")).explainCommand,
  },
  {
    name: "completion",
    usage: "SHELL",
    summary: "print a completion script for bash, zsh or fish",
    load: async () => (await import("./commands/completion.ts")).completionCommand,
  },
  { name: "init", usage: "[DIR]", summary: "write a first project", load: async () => (await import("./commands/init.ts")).initCommand },
];
