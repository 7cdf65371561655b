import type { Context, Hono, MiddlewareHandler } from "hono";
import type { ServeRight } from "../configuration/read-tokens.ts";
import type { Generation, GenerationUse } from "../live/live-pipelines.ts";
import { withinTrace } from "../base/trace-parent.ts";
import { Admission } from "./admission.ts";
import { assertMay, type Caller } from "./caller.ts";
import { answerFault, exchanges } from "./exchanges.ts";
import { HttpFault } from "./http-fault.ts";
import { type DescribedPipeline, openApi } from "./open-api.ts";
import { readJsonBody } from "./read-json-body.ts";
import { answerInvoke } from "./routes/invoke-route.ts";
import { answerRun } from "./routes/run-route.ts";
import { answerSearch } from "./routes/search-route.ts";
import { serveStatus } from "./routes/status-route.ts";
import { routeList, wrongRoute } from "./route-list.ts";
import type { Exchange, ServeEnv, ServeParts } from "./serve-parts.ts";

type ServeContext = Context<ServeEnv>;

/**
 * Makes the server's answers; it listens nowhere by itself.
 *
 * @param parts What the routes share.
 */
export async function createApp(parts: ServeParts): Promise<Hono<ServeEnv>> {
  // Nothing but serving needs the library, and a cold start pays for each module.
  const [library, { cors }] = await Promise.all([import("hono"), import("hono/cors")]);
  const app = new library.Hono<ServeEnv>();
  const admission = new Admission(parts);
  app.use(exchanges(parts));
  app.use(crossOrigin(parts, cors));
  app.onError((error, c) => answerFault(c, error, parts.log));
  app.notFound((c) => answerFault(c, wrongRoute(c.req.method, c.req.path), parts.log));

  app.get(routeList.health, (c) => told(c, "health", { status: "live" }));
  app.get(routeList.ready, (c) => {
    const isReady = parts.live.names.length > 0 && !parts.draining();
    return told(c, "ready", { status: isReady ? "ready" : "not ready", pipelines: parts.live.names }, isReady ? 200 : 503);
  });
  app.get(routeList.status, async (c) => {
    callerOf(parts, c, "status");
    return told(c, "status", await serveStatus(parts));
  });
  app.get(routeList.metrics, async (c) => {
    callerOf(parts, c, "status");
    c.get("exchange").operation = "metrics";
    const { registry } = parts.metrics;
    return c.body(await registry.metrics(), 200, { "content-type": registry.contentType });
  });
  app.get(routeList.openApi, async (c) => {
    const caller = callerOf(parts, c);
    return told(c, "openapi", openApi(await describe(parts, caller), { tokens: parts.access().settings.tokens.length > 0 }));
  });
  app.get(routeList.pipelines, async (c) => {
    const caller = callerOf(parts, c);
    return told(c, "pipelines", { pipelines: (await describe(parts, caller)).map(summary) });
  });

  app.post(routeList.search, (c) => {
    c.get("exchange").operation = "search";
    const caller = callerOf(parts, c, "search");
    return onPipeline(c, { parts, admission, caller }, (use, body) => answerSearch(use, { parts, exchange: c.get("exchange"), caller, body }));
  });
  const run = (c: ServeContext, graph: string | undefined): Promise<Response> => {
    c.get("exchange").operation = "run";
    const caller = callerOf(parts, c, "run");
    return onPipeline(c, { parts, admission, caller }, (use, body) => answerRun(use, { parts, exchange: c.get("exchange"), caller, graph, body }));
  };
  app.post(routeList.run, (c) => run(c, undefined));
  app.post(routeList.runGraph, (c) => run(c, c.req.param("graph")));

  const invoke = async (c: ServeContext, pipeline: string | undefined): Promise<Response> => {
    const exchange = c.get("exchange");
    exchange.operation = "invoke";
    const caller = callerOf(parts, c, "invoke");
    c.header("x-ditto-protocol", "1");
    if (c.req.header("x-ditto-protocol") !== "1") throw new HttpFault({ status: 400, code: "INVALID_ENVELOPE" }, "The header x-ditto-protocol must be 1");
    const body = await admission.during(c.req.raw.signal, async () => {
      const envelope = await readJsonBody(c.req.raw, parts.access().settings.maxBodyBytes);
      return traced(exchange, () => answerInvoke({ parts, exchange, caller, pipeline, envelope }));
    });
    return c.body(body, 200, { "content-type": "application/json" });
  };
  app.post(routeList.invoke, (c) => invoke(c, undefined));
  app.post(routeList.invokePipeline, (c) => invoke(c, c.req.param("name") ?? ""));
  return app;
}

/** Who asks; refused where it may not. */
function callerOf(parts: ServeParts, c: ServeContext, right?: ServeRight): Caller {
  const exchange = c.get("exchange");
  const caller = parts.access().authenticate(c.req.header("authorization"));
  exchange.caller = caller;
  if (right !== undefined) assertMay(caller, right);
  return caller;
}

/** Does the work of a request on the generation that serves now, and answers with what comes of it. */
async function onPipeline(
  c: ServeContext,
  at: { readonly parts: ServeParts; readonly admission: Admission; readonly caller: Caller },
  work: (use: GenerationUse, body: unknown) => Promise<unknown>,
): Promise<Response> {
  const { parts, admission, caller } = at;
  const { live, access } = parts;
  const exchange = c.get("exchange");
  const name = c.req.param("name") ?? "";
  if (!caller.opens(name)) throw new HttpFault({ status: 403, code: "SERVE_FORBIDDEN" }, "The token does not open this pipeline");
  if (!live.has(name)) {
    const allowed = live.names.filter((each) => caller.opens(each));
    throw new HttpFault({ status: 404, code: "SERVE_NOT_FOUND" }, "No pipeline of this name serves", { allowed });
  }
  exchange.pipeline = name;
  const answer = await admission.during(c.req.raw.signal, async (signal) => {
    const body = await readJsonBody(c.req.raw, access().settings.maxBodyBytes);
    return live.get(name).use(
      async (use) => {
        const { generation } = use;
        exchange.facts.generation = generation.number;
        c.header("x-ditto-generation", `${generation.number}-${generation.hash}`);
        return JSON.stringify({
          pipeline: name,
          generation: { number: generation.number, hash: generation.hash },
          output: await traced(exchange, () => work(use, body)),
        });
      },
      { signal },
    );
  });
  return c.body(answer, 200, { "content-type": "application/json" });
}

/** What the work asks of others belongs to the caller's trace. */
function traced<T>({ trace }: Exchange, work: () => T): T {
  return withinTrace(trace.isCallers ? trace.header : undefined, work);
}

function told(c: ServeContext, operation: string, body: unknown, status: 200 | 503 = 200): Response {
  c.get("exchange").operation = operation;
  return c.body(JSON.stringify(body), status, { "content-type": "application/json", "cache-control": "no-store" });
}

/** The pipelines that a caller may see, each as its generation is now. */
async function describe({ live }: ServeParts, caller: Caller): Promise<readonly DescribedPipeline[]> {
  const names = live.names.filter((name) => caller.opens(name));
  return Promise.all(names.map((name) => live.get(name).use(async ({ pipeline, generation }) => ({ plan: pipeline.plan, generation }))));
}

function summary({ plan, generation }: DescribedPipeline): Readonly<Record<string, unknown>> {
  const { name, description, targets, graphs } = plan;
  const shown: Pick<Generation, "number" | "hash" | "since"> = generation;
  return {
    name,
    description,
    generation: shown,
    targets: Object.fromEntries(
      Object.entries(targets).map(([target, { default: chosen, strategies }]) => [target, { default: chosen, strategies: Object.keys(strategies) }]),
    ),
    graphs: Object.keys(graphs),
  };
}

/** Pages of other origins may ask only where the settings name them. */
function crossOrigin({ access }: ServeParts, cors: typeof import("hono/cors").cors): MiddlewareHandler {
  const middleware = cors({
    origin: (origin) => (access().settings.origins.some((allowed) => allowed === "*" || allowed === origin) ? origin : null),
    allowMethods: ["GET", "POST"],
    allowHeaders: ["authorization", "content-type", "x-request-id", "traceparent"],
    exposeHeaders: ["x-request-id", "x-ditto-generation", "retry-after"],
  });
  return (c, next) => (access().settings.origins.length === 0 ? next() : middleware(c, next));
}
