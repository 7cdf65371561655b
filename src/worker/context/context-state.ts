import type { Context, ContextScope } from "../../contracts/context.ts";
import { ContextError } from "../../contracts/context-error.ts";
import type { ContextState, ContextStateStore } from "../../contracts/context-services.ts";
import { askService } from "./ask-service.ts";
import type { ContextRun } from "./context-run.ts";
import { ContextValueReader } from "./context-value-reader.ts";

/** A working set that the request brings, or the scope that one is stored under. */
export type ReadLocation = { readonly context: Context; readonly scope?: undefined } | { readonly scope: ContextScope; readonly context?: undefined };

const stored = new ContextValueReader("INVALID_STATE");
const failure = { code: "STATE_STORE_UNAVAILABLE", message: "The state store failed" } as const;

/**
 * Gives the working set of a request.
 *
 * @throws ContextError `CONTEXT_NOT_FOUND`, `STATE_STORE_UNAVAILABLE`, `INVALID_STATE`
 */
export async function readContext(location: ReadLocation, run: ContextRun): Promise<Context> {
  return location.context ?? (await readExistingState(location.scope, run)).context;
}

/**
 * Changes the working set of a request. Under a scope that is one read and one compare-and-set, without a retry.
 *
 * @param change Makes the next working set.
 * @returns The next working set.
 * @throws ContextError `STATE_CONFLICT` when somebody else was faster; what {@link readContext} throws.
 */
export async function changeContext(location: ReadLocation, run: ContextRun, change: (context: Context) => Promise<Context>): Promise<Context> {
  const { scope } = location;
  if (scope === undefined) return change(location.context);
  return inTurn(scope, run, async () => {
    const state = await readExistingState(scope, run);
    const next = await change(state.context);
    await compareAndSet(scope, state.version, next, run);
    return next;
  });
}

/**
 * Stores a new working set under a scope, in place of what may be there: one read and one compare-and-set.
 *
 * @throws ContextError `STATE_CONFLICT` when somebody else was faster, `STATE_STORE_UNAVAILABLE`, `INVALID_STATE`
 */
export async function replaceContext(scope: ContextScope, run: ContextRun, next: Context): Promise<void> {
  await inTurn(scope, run, async () => {
    const state = await readState(scope, run);
    await compareAndSet(scope, state?.version, next, run);
  });
}

async function inTurn<T>(scope: ContextScope, run: ContextRun, operation: () => Promise<T>): Promise<T> {
  const { queue } = run.services;
  if (!queue) return operation();
  return askService(run.call, { code: "STATE_STORE_UNAVAILABLE", message: "The operation queue failed" }, () => queue.run(scope, operation, run.call));
}

async function readExistingState(scope: ContextScope, run: ContextRun): Promise<ContextState> {
  const state = await readState(scope, run);
  if (!state) throw new ContextError("CONTEXT_NOT_FOUND", "No context is stored under this scope");
  return state;
}

async function readState(scope: ContextScope, run: ContextRun): Promise<ContextState | undefined> {
  const store = storeOf(run);
  const state: unknown = await askService(run.call, failure, () => store.get(scope, run.call));
  if (state === undefined) return undefined;
  const { version, context } = stored.object(state, "state", ["version", "context"]);
  return { version: stored.text(version, "state.version"), context: readStoredContext(context) };
}

/** Doubles in stored state are the store's fault, not the request's. */
function readStoredContext(context: unknown): Context {
  try {
    return stored.context(context, "state.context");
  } catch (thrown) {
    throw new ContextError("INVALID_STATE", "The stored context is not valid", { cause: thrown });
  }
}

async function compareAndSet(scope: ContextScope, version: string | undefined, next: Context, run: ContextRun): Promise<void> {
  const store = storeOf(run);
  const done: unknown = await askService(run.call, failure, () => store.compareAndSet(scope, version, next, run.call));
  if (done === false) throw new ContextError("STATE_CONFLICT", "The stored context has changed meanwhile");
  if (done !== true) stored.refuse("The state store must answer true or false");
}

function storeOf(run: ContextRun): ContextStateStore {
  const { stateStore } = run.services;
  if (!stateStore) throw new ContextError("STATE_STORE_UNAVAILABLE", "A scope needs a state store, and none is configured");
  return stateStore;
}
