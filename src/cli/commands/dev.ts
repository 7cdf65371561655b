import { stat } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { isCodedError } from "../../contracts/coded-error.ts";
import type { LiveEvent, LivePipelines } from "../../live/live-pipelines.ts";
import type { CliCall, CliCommand } from "../cli-command.ts";
import type { CliContext } from "../cli-context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { integerOption } from "../integer-option.ts";
import { declareLoadOptions, readLoadOptions } from "../load-options.ts";
import { packageFile } from "../package-file.ts";
import { paintFor } from "../render/paint.ts";
import { ProgressLine, shortTime } from "../render/progress-line.ts";
import { UsageError } from "../usage-error.ts";

/** Where the page is unless something else is there already. */
const usualPort = 4242;

/** `ditto dev`: pipelines that change while they are edited, and a page that shows why answers are what they are. */
export const devCommand: CliCommand = {
  declare: (command) => {
    command
      .argument("[dir]", "a folder of pipelines, or one file; this folder otherwise")
      .option("--port <n>", `the port of the page, 0 for any that is free; ${usualPort} or the next free one otherwise`)
      .option("--json", "print where the page is as JSON")
      .option("--polling", "look at the files at intervals: for network file systems");
    declareLoadOptions(command);
  },
  examples: [
    ["ditto dev", "watch the pipelines of this folder, and open the page that it names"],
    ["ditto dev pipelines --port 8080", "another folder, another port"],
  ],
  run: dev,
};

async function dev({ args, options, context }: CliCall): Promise<ExitCode> {
  const { cwd, out, err, signal } = context;
  const port = integerOption(options["port"] as string | undefined, { name: "--port", least: 0, most: 65_535 });
  const root = resolve(cwd, args[0] ?? ".");
  if ((await stat(root).catch(() => undefined)) === undefined) throw new UsageError(`"${args[0]}" is no folder or file`);
  const [load, { watchPipelines }, { createInspector }, { listenLocally }] = await Promise.all([
    readLoadOptions(options, context),
    import("../../live/watch-pipelines.ts"),
    import("../../inspector/create-inspector.ts"),
    import("../../inspector/listen-locally.ts"),
  ]);
  const teller = new ChangeTeller(context, cwd);
  const watch = options["polling"] === true ? { polling: true } : true;
  const live = await watchPipelines(root, { ...load, watch, allowInvalid: true, signal, onEvent: (event) => teller.tell(event) });
  try {
    if (live.status().pipelines.length === 0) throw new UsageError(`"${args[0] ?? "."}" holds no pipelines`, { hint: "ditto init writes a first one" });
    const app = createInspector({ live, folder: cwd, assets: packageFile("dist/inspector"), signal });
    const listening = await listenLocally(app, { port, usualPort }).catch((error: unknown) => {
      if (isCodedError(error) || (error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
      throw new UsageError(`port ${port} is taken`, { hint: "another --port, or none for one that is free" });
    });
    out.write(options["json"] === true ? `${JSON.stringify({ url: listening.url })}\n` : `${paintFor(out)("bold", listening.url)}\n`);
    err.write(`${summary(live)}; Ctrl-C ends\n`);
    await untilAborted(signal);
    await listening.close();
  } finally {
    await live.close();
  }
  err.write("ended; collections and what was written to them stay\n");
  return exitCodes.interrupted;
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

/** Tells on standard error what changes. */
class ChangeTeller {
  readonly #context: CliContext;
  readonly #folder: string;
  readonly #line: ProgressLine;
  #formats: Promise<void> = Promise.resolve();

  constructor(context: CliContext, folder: string) {
    this.#context = context;
    this.#folder = folder;
    this.#line = new ProgressLine(context.err);
  }

  tell(event: LiveEvent): void {
    const { err } = this.#context;
    if (event.kind === "progress") {
      const { progress } = event;
      if (progress.kind === "fill") this.#line.show({ label: `filling ${progress.ingest}`, done: progress.done, total: progress.total, unit: "records" });
      return;
    }
    this.#line.clear();
    const text = sentence(event, this.#folder);
    if (text !== undefined) err.write(`${text}\n`);
    const { diagnostics } = event as { readonly diagnostics?: Extract<LiveEvent, { kind: "failed" }>["diagnostics"] };
    if (diagnostics === undefined || diagnostics.length === 0) return;
    this.#formats = this.#formats.then(async () => {
      const { formatPretty } = await import("../../diagnostics/format-pretty.ts");
      err.write(formatPretty(diagnostics, { color: err.color }));
    });
  }
}

function sentence(event: LiveEvent, folder: string): string | undefined {
  switch (event.kind) {
    case "switched": {
      const what = event.changed.length === 0 ? "" : ` (${event.changed.map((path) => relative(folder, path)).join(", ")})`;
      return `${event.pipeline}: generation ${event.generation.number} serves after ${shortTime(event.durationMs)}${what}`;
    }
    case "failed":
      return `${event.pipeline ?? relative(folder, event.path)}: ${event.error.code}, ${event.serving === undefined ? "nothing serves" : `generation ${event.serving.number} goes on`}`;
    case "recovered":
      return `${event.pipeline}: right again, generation ${event.generation.number} goes on`;
    case "removed":
      return `${event.pipeline}: removed`;
    case "restart-needed":
      return `${event.plugin}: changed on the disk; it needs a restart`;
    default:
      return undefined;
  }
}
