import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { LivePipelines } from "../../live/live-pipelines.ts";
import { ChangeTeller } from "../change-teller.ts";
import type { CliCall, CliCommand } from "../cli-command.ts";
import type { CliContext } from "../cli-context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { integerOption } from "../integer-option.ts";
import { declareLoadOptions, readLoadOptions } from "../load-options.ts";
import { packageFile } from "../package-file.ts";
import { paintFor } from "../render/paint.ts";
import { servedPaths } from "../served-paths.ts";
import { UsageError } from "../usage-error.ts";

/** Where the page is unless something else is there already. */
const usualPort = 4242;

/** `ditto dev`: pipelines that serve and change while they are edited, and a page that shows why answers are what they are. */
export const devCommand: CliCommand = {
  endsBySignal: true,
  declare: (command) => {
    command
      .argument("[dir]", "a folder of pipelines, or one file; what ditto.yaml says otherwise, or else pipelines/*.yaml")
      .option("--port <n>", `the port of the page, 0 for a free one; ${usualPort} or a free one otherwise`)
      .option("--service-port <n>", "the port of the service itself; a free one otherwise")
      .option("--json", "print both addresses as JSON")
      .option("--polling", "look at the files at intervals: for network file systems");
    declareLoadOptions(command);
  },
  examples: [
    ["ditto dev", "watch and serve the project's pipelines, and name the page to open"],
    ["ditto dev pipelines --port 8081", "another folder, another port"],
  ],
  run: dev,
};

async function dev({ args, options, context }: CliCall): Promise<ExitCode> {
  const { cwd, env, out, err, signal } = context;
  const port = integerOption(options["port"] as string | undefined, { name: "--port", least: 0, most: 65_535 });
  const servicePort = integerOption(options["servicePort"] as string | undefined, { name: "--service-port", least: 0, most: 65_535 }) ?? 0;
  const paths = await servedPaths(args[0] === undefined ? [] : [args[0]], context);
  const [{ vars, profile, envFile }, { startServing }, { createInspector }, { listenLocally }] = await Promise.all([
    readLoadOptions(options, context),
    import("../../serve/start-serving.ts"),
    import("../../inspector/create-inspector.ts"),
    import("../../inspector/listen-locally.ts"),
  ]);
  const teller = new ChangeTeller(context, cwd);
  const serving = await startServing({
    paths,
    access: { folder: await folderOf(paths, context), env, envFile, host: "127.0.0.1", port: servicePort, noAuth: false },
    load: { vars, profile, env, envFile, watch: options["polling"] === true ? { polling: true } : true, allowInvalid: true },
    log: (level, event, facts) => level !== "info" && teller.tellLog(event, facts),
    signal,
    onEvent: (event) => teller.tell(event),
  });
  try {
    const app = await createInspector({ live: serving.live, folder: cwd, assets: packageFile("dist/inspector"), signal });
    const listening = await listenLocally(app, { port, usualPort }).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
      throw new UsageError(`port ${port} is taken`, { hint: "name another --port, or none for one that is free" });
    });
    const { url } = serving;
    if (options["json"] === true) out.write(`${JSON.stringify({ page: listening.url, service: url })}\n`);
    else out.write(`page     ${paintFor(out)("bold", listening.url)}\nservice  ${url}\n`);
    err.write(`${summary(serving.live)}; Ctrl-C ends\n`);
    await untilAborted(signal);
    await listening.close();
  } finally {
    await serving.stop();
  }
  err.write("ended; collections keep what was written to them\n");
  return exitCodes.fine;
}

/** Where the search for `ditto.yaml` begins. */
async function folderOf([first]: readonly string[], { cwd }: CliContext): Promise<string> {
  if (first === undefined) return cwd;
  return (await stat(first).catch(() => undefined))?.isDirectory() === true ? first : dirname(first);
}

function summary(live: LivePipelines): string {
  const { pipelines } = live.status();
  const serving = pipelines.filter(({ generation }) => generation !== undefined).length;
  return serving === pipelines.length
    ? `watching ${serving} ${serving === 1 ? "pipeline" : "pipelines"}`
    : `watching ${pipelines.length} files, ${serving} serve`;
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener("abort", () => done(), { once: true });
  });
}
