import { relative } from "node:path";
import type { LiveEvent } from "../live/live-pipelines.ts";
import type { CliContext } from "./cli-context.ts";
import { paintFor } from "./render/paint.ts";
import { ProgressLine, shortTime } from "./render/progress-line.ts";

/** Faults of the service's own; how pipelines stand is told by their events. */
const logged: ReadonlySet<string> = new Set(["settings-refused", "unknown-pipelines", "fault"]);

/** Tells on standard error what happens to pipelines that are watched. */
export class ChangeTeller {
  readonly #context: CliContext;
  readonly #folder: string;
  readonly #line: ProgressLine;
  #formats: Promise<void> = Promise.resolve();

  constructor(context: CliContext, folder: string) {
    this.#context = context;
    this.#folder = folder;
    this.#line = new ProgressLine(context.err);
  }

  /** What the service has to say that no event of the pipelines says. */
  tellLog(event: string, facts: Readonly<Record<string, unknown>> | undefined): void {
    if (!logged.has(event)) return;
    this.#line.clear();
    this.#context.err.write(`${paintFor(this.#context.err)("yellow", event)} ${JSON.stringify(facts ?? {})}\n`);
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
      const { formatPretty } = await import("../diagnostics/format-pretty.ts");
      err.write(formatPretty(diagnostics, { color: err.color }));
    });
  }
}

function sentence(event: LiveEvent, folder: string): string | undefined {
  switch (event.kind) {
    case "switched": {
      // How things stand at the beginning is told once, for all.
      if (event.previous === undefined && event.generation.number === 1) return undefined;
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
