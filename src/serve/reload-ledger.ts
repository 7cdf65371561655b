import { diagnosticRecord } from "../diagnostics/format-json.ts";
import type { LiveEvent } from "../live/live-pipelines.ts";
import type { ServeLog } from "./serve-log.ts";

/** The last change of a file, and what came of it. */
export interface LastReload {
  readonly at: string;
  readonly result: "switched" | "failed" | "recovered" | "removed";
  readonly changed: readonly string[];
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly durationMs?: number | undefined;
}

/** What counts reloads. */
interface ReloadCounts {
  readonly reloads: { inc(labels: { readonly pipeline: string; readonly result: LastReload["result"] }): void };
}

/** Remembers the last reload of each file, and tells log and metrics of every event. */
export class ReloadLedger {
  readonly #last = new Map<string, LastReload>();
  readonly #log: ServeLog;
  readonly #metrics: ReloadCounts;

  constructor(log: ServeLog, metrics: ReloadCounts) {
    this.#log = log;
    this.#metrics = metrics;
  }

  /** The last change of this file since the start. */
  last(path: string): LastReload | undefined {
    return this.#last.get(path);
  }

  tell(event: LiveEvent): void {
    switch (event.kind) {
      case "switched": {
        const { pipeline, path, generation, previous, changed, opened, carried, diagnostics } = event;
        const durationMs = Math.round(event.durationMs);
        const facts = { pipeline, path, generation: generation.number, hash: generation.hash, changed, opened, carried, ms: durationMs };
        if (previous !== undefined) this.#remember(path, { pipeline, result: "switched", changed, durationMs });
        this.#log("info", previous === undefined ? "loaded" : "switched", {
          ...facts,
          diagnostics: diagnostics.length === 0 ? undefined : diagnostics.map(diagnosticRecord),
        });
        return;
      }
      case "failed": {
        const { pipeline, path, changed, error, diagnostics, serving } = event;
        const { code, message } = error;
        this.#remember(path, { pipeline, result: "failed", changed, code, message });
        this.#log("error", serving === undefined ? "load-failed" : "reload-failed", {
          pipeline,
          path,
          changed,
          code,
          message,
          serving: serving?.number,
          diagnostics: diagnostics.map(diagnosticRecord),
        });
        return;
      }
      case "recovered":
      case "removed": {
        const { kind, pipeline, path, generation } = event;
        this.#remember(path, { pipeline, result: kind, changed: [path] });
        this.#log("info", kind, { pipeline, path, generation: generation.number });
        return;
      }
      case "drained": {
        const { pipeline, generation, ended, error } = event;
        this.#log(error === undefined ? "info" : "warn", "drained", { pipeline, generation: generation.number, ended, code: codeOf(error) });
        return;
      }
      case "restart-needed":
        this.#log("warn", "restart-needed", { plugin: event.plugin, path: event.path });
        return;
      case "progress":
        this.#progress(event);
    }
  }

  #remember(path: string, { pipeline, ...reload }: Omit<LastReload, "at"> & { readonly pipeline: string | undefined }): void {
    this.#last.set(path, { at: new Date().toISOString(), ...reload });
    this.#metrics.reloads.inc({ pipeline: pipeline ?? "", result: reload.result });
  }

  #progress({ path, progress }: Extract<LiveEvent, { readonly kind: "progress" }>): void {
    if (progress.kind === "log") this.#log(progress.level, "log", { path, message: progress.message });
    else if (progress.kind === "warning") this.#log("warn", "diagnostic", { path, diagnostics: [diagnosticRecord(progress.diagnostic)] });
  }
}

/** The code of whatever was thrown; never its text. */
function codeOf(error: unknown): string | undefined {
  if (error === undefined) return undefined;
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string" ? error.code : "failed";
}
