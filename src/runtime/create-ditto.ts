import { hostname } from "node:os";
import type { InvokeOptions, RuntimeEvent } from "../contracts/runtime-client.ts";
import { assertText } from "./assert-argument.ts";
import { defaultConfig } from "./default-config.ts";
import { type Graph, graph } from "./graph/graph.ts";
import { runLoop } from "./loop.ts";
import { receiveCall } from "./receive-call.ts";
import { runRoutedGraph } from "./run-routed-graph.ts";
import type { DittoOptions, RunOptions, Runtime } from "./runtime.ts";
import { RuntimeCore, runtimeClosed } from "./runtime-core.ts";
import { type EventHandler, InProcessEvents } from "./runtime-events.ts";
import { Sandbox } from "./sandbox/sandbox.ts";
import { traced } from "./traced.ts";
import { PayloadCodec } from "./transport/payload-codec.ts";
import { WorkerDirectory } from "./worker-directory.ts";
import { WorkerRegistry } from "./worker-registry.ts";

/**
 * Creates a Runtime. It reads neither files nor environment by itself.
 *
 * @param options See {@link DittoOptions}; every member may be left out.
 * @returns A Runtime; `close()` it at the end, before the databases that its workers use.
 * @throws RuntimeError `INVALID_ARGUMENT`, `WORKER_RESOURCES_FAILED`
 * @example
 * ```ts
 * const runtime = createDitto({ workers: [createMemoryWorker({ store })] });
 * try {
 *   return await runtime.invoke("MEMORY.SEARCH", { query: "agent memory" });
 * } finally {
 *   await runtime.close();
 * }
 * ```
 */
export function createDitto(options: DittoOptions = {}): Runtime {
  const home = { hostId: options.hostId ?? hostname(), processId: options.processId ?? String(process.pid) };
  for (const key of ["hostId", "processId"] as const) assertText(key, home[key]);
  const config = Object.freeze({ ...defaultConfig(), ...options.config });
  const core = new RuntimeCore({
    services: Object.freeze({ config, sandbox: options.sandbox ?? new Sandbox(config.workspace, config.sandbox) }),
    directory: new WorkerDirectory(home),
    events: options.events ?? new InProcessEvents(),
    codec: new PayloadCodec(options.artifacts, options.inlineLimitBytes),
    artifacts: options.artifacts,
  });
  const registry = new WorkerRegistry(core, home, options.transports ?? []);
  registerAll(registry, options);
  let closing: Promise<void> | undefined;
  return Object.freeze({
    services: core.services,
    ...callsOf(core),
    ...eventsOf(core),
    graph,
    register: (...args: Parameters<Runtime["register"]>) => registry.register(...args),
    registerRemote: (...args: Parameters<Runtime["registerRemote"]>) => registry.registerRemote(...args),
    workers: () => registry.snapshots(),
    receive: (envelope: unknown, options?: Parameters<Runtime["receive"]>[1]) => receiveCall(core, { envelope, home, trace: options?.trace }),
    close: () => {
      closing ??= close(core, registry);
      return closing;
    },
  });
}

/** Where one worker cannot start, those that have started are ended. */
function registerAll(registry: WorkerRegistry, { workers = [] }: DittoOptions): void {
  try {
    for (const worker of workers) registry.register(worker);
  } catch (error) {
    registry.close().catch(() => {}); // What kept the Runtime from starting is the error to tell.
    throw error;
  }
}

function callsOf(core: RuntimeCore): Pick<Runtime, "invoke" | "run" | "loop"> {
  /** Accepts work, or refuses it: what is accepted goes on to its end even while the Runtime closes. */
  const accept = async <T>(work: () => Promise<T>): Promise<T> => {
    core.assertOpen();
    return core.activity.during(work);
  };
  const run = <I, O>(what: Graph<I, O>, input: I, options: RunOptions<O> | undefined) => runRoutedGraph(core, what, { input, options });
  return {
    invoke: ((node: string, input: unknown, options?: InvokeOptions) => {
      if (core.closed) return Promise.reject(runtimeClosed());
      return core.invoke({ node, input, execution: undefined, signal: options?.signal, trace: options?.trace }, options?.workerId);
    }) as Runtime["invoke"],
    run: (what, input, options) => accept(() => run(what, input, options)),
    loop: (definition, state, options) => {
      const maxIterations = options?.maxIterations ?? core.services.config.loopMaxIterations;
      return accept(() => runLoop(definition, state, { maxIterations, run: iterate(run, options) }));
    },
  };
}

/** Each iteration is a step of the trace, where there is one. */
function iterate<I, O>(
  run: (what: Graph<I, O>, input: I, options: RunOptions<O> | undefined) => Promise<O>,
  options: RunOptions<O> | undefined,
): (what: Graph<I, O>, input: I) => Promise<O> {
  const trace = options?.trace;
  if (trace === undefined) return (what, input) => run(what, input, options);
  let iteration = 0;
  return (what, input) => {
    iteration += 1;
    return traced((inner) => run(what, input, { ...options, trace: inner }), { kind: "iteration", label: String(iteration), trace });
  };
}

function eventsOf(core: RuntimeCore): Pick<Runtime, "subscribe" | "emit" | "drainEvents"> {
  return {
    subscribe: (typeOrHandler: string | EventHandler, handler?: EventHandler) => {
      if (typeof typeOrHandler === "function") return core.events.subscribe(typeOrHandler);
      return core.events.subscribe((event) => (event.type === typeOrHandler ? handler?.(event) : undefined));
    },
    emit: async (event: RuntimeEvent) => {
      core.assertOpen();
      return core.emit(event);
    },
    drainEvents: () => core.events.drain(),
  };
}

function close(core: RuntimeCore, registry: WorkerRegistry): Promise<void> {
  core.closed = true;
  const closing = core.activity
    .idle()
    .then(() => core.events.idle())
    .then(() => registry.close());
  closing.catch(() => {}); // Whoever asked is told; nobody has to listen.
  return closing;
}
