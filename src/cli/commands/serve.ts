import { dirname, resolve } from "node:path";
import { stat } from "node:fs/promises";
import type { CliCall, CliCommand } from "../cli-command.ts";
import type { CliContext } from "../cli-context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { integerOption } from "../integer-option.ts";
import { declareLoadOptions, readLoadOptions } from "../load-options.ts";
import { servedPaths } from "../served-paths.ts";
import { packageVersion } from "../package-version.ts";
import type { McpServingOptions } from "../../serve/mcp/serve-mcp.ts";
import { UsageError } from "../usage-error.ts";

/** Options of `ditto serve` as they are written. */
interface ServeOptions {
  readonly host?: string;
  readonly port?: string;
  readonly tokenFile?: string;
  readonly auth: boolean;
  readonly watch?: boolean;
  readonly poll?: string;
  readonly allowInvalid?: boolean;
  readonly logSearches?: string;
  readonly mcp?: boolean;
}

/** `ditto serve`: pipelines over HTTP. */
export const serveCommand: CliCommand = {
  endsBySignal: true,
  declare: (command) => {
    command
      .argument("[paths...]", "pipeline files and folders; what ditto.yaml says, or else pipelines/*.yaml")
      .option("--host <address>", "the address to listen at; 127.0.0.1 otherwise")
      .option("--port <n>", "the port, 0 for a free one; 8080 otherwise")
      .option("--token-file <file>", "more bearer tokens than ditto.yaml has: a YAML list")
      .option("--no-auth", "answer everybody who reaches the address, without a token")
      .option("--watch", "change with the files; without it, SIGHUP does")
      .option("--poll <ms>", "look at the files at intervals, for network file systems; with --watch")
      .option("--allow-invalid", "start although some files are wrong")
      .option("--log-searches <file>", "keep queries and what they found, one line of JSON each");
    command.option("--mcp", "speak MCP with an agent on standard input and output instead of HTTP");
    declareLoadOptions(command);
  },
  examples: [
    ["ditto serve", "the project's pipelines at http://127.0.0.1:8080"],
    ["ditto serve pipelines --watch --port 0", "a folder, changing with its files, at a free port"],
    ["ditto serve pipelines/quickstart.yaml --mcp", "its searches and graphs as tools of an agent"],
    ["ditto serve --host 0.0.0.0 --token-file tokens.yaml", "for other machines, who bring a token"],
  ],
  run: serve,
};

async function serve({ rest, options: all, context }: CliCall): Promise<ExitCode> {
  const options = all as unknown as ServeOptions;
  const { cwd, env, err, out, signal } = context;
  const pollMs = integerOption(options.poll, { name: "--poll", least: 50, most: 60_000 });
  if (pollMs !== undefined && options.watch !== true) throw new UsageError("--poll goes with --watch");
  const { vars, profile, envFile } = await readLoadOptions(all, context);
  const paths = await servedPaths(rest, context);
  const load = {
    vars,
    profile,
    env,
    envFile,
    allowInvalid: options.allowInvalid,
    watch: options.watch === true && pollMs !== undefined ? { polling: true, intervalMs: pollMs } : options.watch,
  };
  if (options.mcp === true) return await serveAgents(options, { paths, load, context });
  const [{ startServing }, { serveLog }] = await Promise.all([import("../../serve/start-serving.ts"), import("../../serve/serve-log.ts")]);
  const serving = await startServing({
    paths,
    access: {
      folder: await folderOf(paths, context),
      env,
      envFile,
      tokenFile: options.tokenFile === undefined ? undefined : resolve(cwd, options.tokenFile),
      host: options.host,
      port: integerOption(options.port, { name: "--port", least: 0, most: 65_535 }),
      noAuth: !options.auth,
    },
    load,
    log: serveLog((line) => err.write(line)),
    searchLogPath: options.logSearches === undefined ? undefined : resolve(cwd, options.logSearches),
    signal,
  });
  out.write(`listening on ${serving.url}\n`);
  const onHangUp = (): void => {
    // What becomes of it stands in the log; that it was asked for while stopping matters to nobody.
    serving.reload().catch(() => {});
  };
  process.on("SIGHUP", onHangUp);
  await new Promise<void>((done) => (signal.aborted ? done() : signal.addEventListener("abort", () => done(), { once: true })));
  await serving.stop();
  process.off("SIGHUP", onHangUp);
  return exitCodes.fine;
}

async function serveAgents(
  { host, port, tokenFile, auth, logSearches }: ServeOptions,
  { paths, load, context }: Pick<McpServingOptions, "paths" | "load"> & { readonly context: CliContext },
): Promise<ExitCode> {
  const ofHttp = { "--host": host, "--port": port, "--token-file": tokenFile, "--no-auth": auth ? undefined : true, "--log-searches": logSearches };
  const [idle] = Object.entries(ofHttp).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (idle !== undefined) throw new UsageError(`${idle} is for HTTP, and --mcp speaks on standard input and output`);
  const [{ isSdkMissing, serveMcp }, { serveLog }, version] = await Promise.all([
    import("../../serve/mcp/serve-mcp.ts"),
    import("../../serve/serve-log.ts"),
    packageVersion(),
  ]);
  try {
    await serveMcp({ paths, load, version, log: serveLog((line) => context.err.write(line)), signal: context.signal });
  } catch (error) {
    if (!isSdkMissing(error)) throw error;
    throw new UsageError("--mcp needs the package @modelcontextprotocol/sdk, which is not installed", { hint: "npm install @modelcontextprotocol/sdk" });
  }
  return exitCodes.fine;
}

/** Where the search for `ditto.yaml` begins. */
async function folderOf([first]: readonly string[], { cwd }: CliContext): Promise<string> {
  if (first === undefined) return cwd;
  return (await stat(first).catch(() => undefined))?.isDirectory() === true ? first : dirname(first);
}
