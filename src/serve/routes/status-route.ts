import { runUntilAborted } from "../../base/run-until-aborted.ts";
import { isCodedError } from "../../contracts/coded-error.ts";
import { diagnosticRecord, type DiagnosticRecord } from "../../diagnostics/format-json.ts";
import type { Generation, LivePipelines, PipelineStatus } from "../../live/live-pipelines.ts";
import { OpenPipeline } from "../../live/open-pipeline.ts";
import type { LastReload } from "../reload-ledger.ts";
import type { ServeParts } from "../serve-parts.ts";

/** What `/status` answers. */
export interface ServeStatus {
  readonly status: "serving" | "stopping";
  readonly watching: boolean;
  readonly uptimeSeconds: number;
  /** Resources that are open, also for generations that are ending. */
  readonly resources: number;
  readonly pipelines: readonly ToldPipeline[];
}

/** How one file stands. */
export interface ToldPipeline {
  readonly name: string | undefined;
  readonly path: string;
  readonly generation: Generation | undefined;
  readonly running: number;
  readonly draining: PipelineStatus["draining"];
  /** Why what the file says now does not serve. */
  readonly error: { readonly code: string; readonly message: string } | undefined;
  readonly diagnostics: readonly DiagnosticRecord[];
  readonly lastReload: LastReload | undefined;
  readonly restartNeeded: readonly string[];
  readonly resources: readonly ResourceHealth[];
}

/** Whether a resource can serve. */
export interface ResourceHealth {
  readonly name: string;
  readonly kind: string;
  /** `unknown` where it cannot be asked. */
  readonly health: "fine" | "failing" | "unknown";
  readonly code?: string | undefined;
}

/** Tells how everything stands; resources are asked now. */
export async function serveStatus({ live, ledger, draining }: Pick<ServeParts, "live" | "ledger" | "draining">): Promise<ServeStatus> {
  const { watching, resources, pipelines } = live.status();
  const told = await Promise.all(
    pipelines.map(async ({ path, name, generation, running, draining: ending, error, diagnostics, restartNeeded }): Promise<ToldPipeline> => {
      const { code, message } = error ?? {};
      return {
        name,
        path,
        generation,
        running,
        draining: ending,
        error: code === undefined ? undefined : { code, message: message ?? "" },
        diagnostics: diagnostics.map(diagnosticRecord),
        lastReload: ledger.last(path),
        restartNeeded,
        resources: name === undefined || !live.has(name) ? [] : await healthOf(live, name),
      };
    }),
  );
  return { status: draining() ? "stopping" : "serving", watching, uptimeSeconds: Math.round(process.uptime()), resources, pipelines: told };
}

/** Milliseconds that a resource may take to tell how it is. */
const checkTimeoutMs = 2000;

async function healthOf(live: LivePipelines, name: string): Promise<readonly ResourceHealth[]> {
  try {
    return await live.get(name).use(async ({ pipeline }) => {
      if (!(pipeline instanceof OpenPipeline)) return [];
      const { components, plan } = pipeline;
      const opened = plan.components.filter(({ id }) => components.opened.has(id));
      return Promise.all(
        opened.map(
          async ({ id, name: resource, kind }): Promise<ResourceHealth> => ({ name: resource, kind, ...(await checked(components.opened.get(id)?.check)) }),
        ),
      );
    });
  } catch (error) {
    // It was removed meanwhile.
    if (isCodedError(error, "pipeline")) return [];
    throw error;
  }
}

async function checked(check: ((signal: AbortSignal) => Promise<void>) | undefined): Promise<Pick<ResourceHealth, "health" | "code">> {
  if (check === undefined) return { health: "unknown" };
  const signal = AbortSignal.timeout(checkTimeoutMs);
  try {
    await runUntilAborted(() => check(signal), { signal });
    return { health: "fine" };
  } catch (error) {
    return { health: "failing", code: isCodedError(error) ? error.code : signal.aborted ? "SERVE_TIMEOUT" : "UNEXPECTED" };
  }
}
