import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Context, Hono } from "hono";
import { isRecord } from "../base/is-record.ts";
import { isCodedError } from "../contracts/coded-error.ts";
import { explainId } from "../explain/explain-id.ts";
import type { GenerationUse, LivePipelines } from "../live/live-pipelines.ts";
import { partGraph } from "../picture/part-graph.ts";
import { pictureStyle, svg } from "../picture/svg.ts";
import { inspectSearch } from "./inspect-search.ts";
import { KeptAnswers } from "./kept-answers.ts";
import { pipelineStates } from "./pipeline-states.ts";
import { InvalidRequest, readNumbers, readRequest, readText } from "./read-request.ts";
import { weightsYaml } from "./weights-yaml.ts";

/** Options of {@link createInspector}. */
export interface InspectorOptions {
  readonly live: LivePipelines;
  /** Absolute folder of the pipelines. */
  readonly folder: string;
  /** Absolute folder of the built page. */
  readonly assets: string;
  /** Ends open event streams. */
  readonly signal: AbortSignal;
}

const files: Readonly<Record<string, readonly [file: string, type: string]>> = {
  "/": ["index.html", "text/html; charset=utf-8"],
  "/app.js": ["app.js", "text/javascript; charset=utf-8"],
  "/app.css": ["app.css", "text/css; charset=utf-8"],
};

/** Nothing inline, nothing from elsewhere. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Makes the inspector: a page, and the JSON behind it. It is for this machine alone and has no login: it answers requests to loopback
 * names only, and takes JSON from its own pages only.
 *
 * @param options See {@link InspectorOptions}.
 * @returns An application to be mounted; its paths are relative to where it is.
 */
export async function createInspector(options: InspectorOptions): Promise<Hono> {
  const { live, folder, assets } = options;
  const [library, { bodyLimit }] = await Promise.all([import("hono"), import("hono/body-limit")]);
  const kept = new KeptAnswers();
  const app = new library.Hono();
  app.use(async (context, next) => {
    if (!isLocal(context)) return context.json({ error: { code: "FORBIDDEN", message: "The inspector answers this machine only" } }, 403);
    await next();
    context.header("Content-Security-Policy", policy);
    context.header("X-Content-Type-Options", "nosniff");
    context.header("Referrer-Policy", "no-referrer");
    context.header("Cache-Control", "no-store");
    return undefined;
  });
  app.onError((error, context) => context.json({ error: told(error) }, statusOf(error)));
  for (const [path, [file, type]] of Object.entries(files)) {
    app.get(path, async (context) => context.body(await readFile(join(assets, file)), 200, { "Content-Type": type }));
  }
  app.get("/picture.css", (context) => context.body(pictureStyle(), 200, { "Content-Type": "text/css; charset=utf-8" }));
  app.get("/api/state", async (context) => context.json(await pipelineStates(live, folder)));
  app.get("/api/events", (context) => streamEvents(context, options));
  app.get("/api/pipelines/:name/picture", async (context) => {
    const drawn = await live.get(context.req.param("name")).use(async ({ pipeline }) => svg(partGraph(pipeline.plan), { styled: false }));
    return context.body(drawn, 200, { "Content-Type": "image/svg+xml; charset=utf-8" });
  });
  const limited = bodyLimit({ maxSize: 64 * 1024 });
  const post = (path: string, answer: (body: Readonly<Record<string, unknown>>, use: GenerationUse, name: string) => Promise<object>): void => {
    app.post(`/api/pipelines/:name/${path}`, limited, async (context) => {
      const name = context.req.param("name") ?? "";
      const body = await bodyOf(context);
      return context.json(await live.get(name).use((use) => answer(body, use, name), { signal: context.req.raw.signal }));
    });
  };
  post("search", async (body, use, name) => {
    const request = readRequest(body);
    const { answer } = await inspectSearch(request, use);
    return kept.keep(name, request, answer);
  });
  post("explain", async (body, use) => {
    const request = readRequest(body);
    const { search, answer } = await inspectSearch(request, use);
    const { target, strategy } = answer;
    return explainId(readText(body, "id"), { search, pipeline: use.pipeline, target, strategy, namespace: request.namespace, signal: use.signal });
  });
  post("weights", async (body, { pipeline }) => {
    const written = weightsYaml(pipeline.plan, {
      target: readText(body, "target"),
      strategy: readText(body, "strategy"),
      weights: readNumbers(body, "weights"),
    });
    if (written === undefined) throw new InvalidRequest("The strategy has no branches with weights of its own");
    return written;
  });
  return app;
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/u;

/** A name that a stranger's page made point to this machine is refused, and so is JSON that another page sends. */
function isLocal({ req }: Context): boolean {
  const host = req.header("Host") ?? "";
  const origin = req.header("Origin");
  return loopback.test(host) && (origin === undefined || origin === `http://${host}`);
}

async function bodyOf({ req }: Context): Promise<Readonly<Record<string, unknown>>> {
  if (!(req.header("Content-Type") ?? "").startsWith("application/json")) throw new InvalidRequest("The body must be JSON");
  const body: unknown = await req.json().catch(() => undefined);
  if (!isRecord(body)) throw new InvalidRequest("The body must be a JSON object");
  return body;
}

function told(error: unknown): { readonly code: string; readonly message: string } {
  if (error instanceof InvalidRequest) return { code: "INVALID_REQUEST", message: error.message };
  return isCodedError(error) ? { code: error.code, message: error.message } : { code: "UNEXPECTED", message: "It failed for a reason that is not told here" };
}

function statusOf(error: unknown): 400 | 422 | 500 {
  if (error instanceof InvalidRequest) return 400;
  return isCodedError(error) ? 422 : 500;
}

/** Tells the page that something changed; what changed it asks for itself. */
async function streamEvents(context: Context, { live, signal }: InspectorOptions): Promise<Response> {
  const { streamSSE } = await import("hono/streaming");
  return streamSSE(context, async (stream) => {
    await new Promise<void>((resolve) => {
      const unsubscribe = live.subscribe((event) => {
        if (event.kind !== "progress") void stream.writeSSE({ event: "changed", data: JSON.stringify({ kind: event.kind }) });
      });
      const end = (): void => {
        unsubscribe();
        resolve();
      };
      stream.onAbort(end);
      signal.addEventListener("abort", end, { once: true });
      if (signal.aborted) end();
      void stream.writeSSE({ event: "ready", data: "{}" });
    });
  });
}
