import { isCodedError } from "../contracts/coded-error.ts";
import type { LiveEvent, LivePipelines, WatchPipelinesOptions } from "../live/live-pipelines.ts";
import { PipelineError } from "../live/pipeline-error.ts";
import { watchPipelines } from "../live/watch-pipelines.ts";
import { createApp } from "./create-app.ts";
import { type Listening, listen } from "./listen.ts";
import { type AccessOptions, loadAccess } from "./load-access.ts";
import { ReloadLedger } from "./reload-ledger.ts";
import { SearchLog } from "./search-log.ts";
import type { ServeLog } from "./serve-log.ts";
import { createServeMetrics, type ServeMetrics } from "./serve-metrics.ts";
import type { ServeAccess, ServeParts } from "./serve-parts.ts";

/** What is served, and how. */
export interface ServingOptions {
  /** Files and folders of pipelines. */
  readonly paths: readonly string[];
  readonly access: AccessOptions;
  /** How pipelines are loaded. */
  readonly load: Omit<WatchPipelinesOptions, "onEvent" | "drainMs" | "serving" | "signal">;
  readonly log: ServeLog;
  /** Absolute path of a file that keeps searches. */
  readonly searchLogPath?: string | undefined;
  /** Gives up loading. */
  readonly signal: AbortSignal;
  /** Told of every event of the pipelines from the first on, beside the log. */
  readonly onEvent?: ((event: LiveEvent) => void) | undefined;
}

/** A service that runs. */
export interface Serving {
  readonly url: string;
  readonly live: LivePipelines;
  /** Looks at pipelines and settings anew. */
  reload(): Promise<void>;
  /** Takes no new connections, lets requests end, and closes everything. Repeated calls share the promise. */
  stop(): Promise<void>;
}

/**
 * Loads pipelines and answers for them over HTTP.
 *
 * @throws ConfigurationError, PipelineError: what is wrong with settings or pipelines, or the address; nothing is left open then.
 */
export async function startServing(options: ServingOptions): Promise<Serving> {
  const { log } = options;
  const state = { access: loadAccess(options.access).access, draining: false };
  let live: LivePipelines | undefined;
  const metrics: ServeMetrics = await createServeMetrics({
    generations: () => byPipeline(live, ({ generation }) => generation?.number ?? 0),
    runningByPipeline: () => byPipeline(live, ({ running, draining }) => draining.reduce((sum, each) => sum + each.running, running)),
    resources: () => live?.status().resources ?? 0,
  });
  const ledger = new ReloadLedger(log, metrics);
  const refresh = (): void => refreshAccess(state, options);
  // Every pipeline below a ditto.yaml tells of its change.
  let isDue = false;
  const soon = (): void => {
    if (isDue) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      refresh();
    });
  };
  const onEvent = (event: LiveEvent): void => {
    ledger.tell(event);
    options.onEvent?.(event);
    if ("changed" in event && event.changed.some((path) => /[\\/](?:ditto\.yaml|\.env)$/u.test(path))) soon();
  };
  const { drainMs } = state.access.settings;
  live = await watchPipelines(options.paths, { ...options.load, drainMs, serving: true, signal: options.signal, onEvent });
  tellUnknownNames(state.access, { live, log });
  const searches = options.searchLogPath === undefined ? undefined : openSearchLog(options.searchLogPath, log);
  const ending = new AbortController();
  const parts: ServeParts = {
    live,
    access: () => state.access,
    metrics,
    ledger,
    log,
    onSearch: searches && ((event) => searches.write(event)),
    ending: ending.signal,
    draining: () => state.draining,
  };
  let listening: Listening;
  try {
    listening = await listen(await createApp(parts), state.access.settings);
  } catch (error) {
    await Promise.all([live.close(), searches?.close()]);
    throw error;
  }
  log("info", "listening", { url: listening.url, pipelines: live.names });
  let stopped: Promise<void> | undefined;
  const served = live;
  return {
    url: listening.url,
    live: served,
    reload: async () => {
      refresh();
      searches?.reopen();
      await served.reload();
    },
    stop: () => {
      state.draining = true;
      stopped ??= stop({ listening, live: served, searches, ending, drainMs: state.access.settings.drainMs }).then(() => log("info", "stopped"));
      return stopped;
    },
  };
}

/** Settings that are wrong change nothing; host and port need a new process. */
function refreshAccess(state: { access: ServeAccess }, { access, log }: ServingOptions): void {
  try {
    const next = loadAccess(access).access;
    if (next.settings.tokens.length === 0 && state.access.settings.tokens.length > 0)
      throw new PipelineError("SERVE_TOKENS_NEEDED", "No token is left, which would open everything: that takes a new process");
    state.access = next;
    log("info", "settings-read", { tokens: state.access.settings.tokens.map(({ name }) => name) });
  } catch (error) {
    if (!isCodedError(error)) throw error;
    log("error", "settings-refused", { code: error.code, message: error.message });
  }
}

/** A name that no pipeline has opens nothing, which nobody means. */
function tellUnknownNames({ settings }: ServeAccess, { live, log }: { readonly live: LivePipelines; readonly log: ServeLog }): void {
  const named = [...settings.tokens.flatMap(({ pipelines = [] }) => pipelines), ...Object.keys(settings.workers)];
  const unknown = [...new Set(named)].filter((name) => !live.has(name));
  if (unknown.length > 0) log("warn", "unknown-pipelines", { message: "ditto.yaml names pipelines under serve that are not served", pipelines: unknown });
}

function openSearchLog(path: string, log: ServeLog): SearchLog {
  return new SearchLog(path, ({ code }) => log("error", "search-log-failed", { path, code }));
}

/** How long connections get after what they waited for was ended. */
const cutAfterMs = 500;

async function stop(at: {
  readonly listening: Listening;
  readonly live: LivePipelines;
  readonly searches: SearchLog | undefined;
  readonly ending: AbortController;
  readonly drainMs: number;
}): Promise<void> {
  const { listening, live, searches, ending, drainMs } = at;
  const timers = [setTimeout(() => ending.abort(), drainMs), setTimeout(() => listening.cut(), drainMs + cutAfterMs)];
  await listening.drain();
  for (const timer of timers) clearTimeout(timer);
  await live.close();
  await searches?.close();
}

function byPipeline(
  live: LivePipelines | undefined,
  value: (status: ReturnType<LivePipelines["status"]>["pipelines"][number]) => number,
): Readonly<Record<string, number>> {
  const known = live?.status().pipelines.filter(({ name }) => name !== undefined) ?? [];
  return Object.fromEntries(known.map((status) => [status.name as string, value(status)]));
}
