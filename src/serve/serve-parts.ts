import type { ServeSettings } from "../configuration/load-serve-settings.ts";
import type { LivePipelines } from "../live/live-pipelines.ts";
import type { Authenticate, Caller } from "./caller.ts";
import type { ReloadLedger } from "./reload-ledger.ts";
import type { SearchEvent } from "./search-log.ts";
import type { ServeLog } from "./serve-log.ts";
import type { ServeMetrics } from "./serve-metrics.ts";
import type { TraceParent } from "./trace-parent.ts";

/** What the routes of a server share. */
export interface ServeParts {
  readonly live: LivePipelines;
  /** What counts now: a reload may change it. */
  readonly access: () => ServeAccess;
  readonly metrics: ServeMetrics;
  readonly ledger: ReloadLedger;
  readonly log: ServeLog;
  /** Keeps searches; undefined where nobody asked for it. */
  readonly onSearch: ((event: SearchEvent) => void) | undefined;
  /** Aborts when what still runs has to end. */
  readonly ending: AbortSignal;
  /** Whether no new connections are taken any longer. */
  readonly draining: () => boolean;
}

/** Who may ask, and for how much. */
export interface ServeAccess {
  readonly settings: ServeSettings;
  readonly authenticate: Authenticate;
  /** Nobody needs a token because only this machine can ask: then requests must be meant for it by name. */
  readonly loopbackOnly: boolean;
}

/** One request while it is answered. */
export interface Exchange {
  readonly requestId: string;
  readonly trace: TraceParent;
  readonly startedAt: number;
  /** What is asked for, for metrics and logs. */
  operation: string;
  caller: Caller | undefined;
  /** The name of a pipeline that there is. */
  pipeline: string | undefined;
  /** What else the log tells. */
  readonly facts: Record<string, unknown>;
}

/** What Hono hands from one handler to the next. */
export interface ServeEnv {
  readonly Variables: { readonly exchange: Exchange };
}
