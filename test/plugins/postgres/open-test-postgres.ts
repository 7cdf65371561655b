import type { Collection, Opened, OpenScope, RetrievalSearchProvider, RoleTypes } from "@codesoul-co/ditto/plugin";
import plugin from "../../../plugins/postgres/index.ts";

/** A scope of a pipeline that was opened in `folder`. */
export function testScope(name: string, folder = "/"): OpenScope {
  return {
    id: `resources.${name}`,
    name,
    pipeline: "test",
    folder,
    signal: new AbortController().signal,
    serving: false,
    collection: () => undefined,
    judge: async () => () => [],
    mask: (text) => text,
    config: { environment: "test", workspace: folder, timeoutMs: 1000, loopMaxIterations: 32, memory: {}, retrieval: {}, context: {}, sandbox: {} },
    sandbox: { assert: () => undefined, allows: () => true },
    log: () => undefined,
  };
}

/** Opens a component of this plugin the way a pipeline does. */
async function openKind<R extends "connection" | "collection">(kind: string, configuration: unknown, scope: OpenScope): Promise<Opened<RoleTypes[R]>> {
  const definition = plugin.kinds.find((each) => each.kind === kind);
  if (definition?.open === undefined) throw new Error(`No kind ${kind}`);
  return (await definition.open(configuration, scope)) as Opened<RoleTypes[R]>;
}

/** Makes a search of this plugin the way a pipeline does. */
export async function openSearch(kind: string, configuration: unknown, name = "s"): Promise<RetrievalSearchProvider> {
  const definition = plugin.kinds.find((each) => each.kind === kind);
  if (definition?.create !== undefined) return definition.create(configuration, testScope(name)) as RetrievalSearchProvider;
  return ((await definition?.open?.(configuration, testScope(name))) as Opened<RetrievalSearchProvider>).value;
}

/** Opens a connection. */
export async function openDatabase(configuration: Readonly<Record<string, unknown>>, name = "pg"): Promise<Opened<unknown>> {
  return await openKind<"connection">("postgres", configuration, testScope(name));
}

/** A collection of a test that was set up. */
export async function openCollection(
  configuration: Readonly<Record<string, unknown>>,
  { name = "kb", database, setUp = true }: { readonly name?: string; readonly database: unknown; readonly setUp?: boolean },
): Promise<{ readonly collection: Collection; readonly opened: Opened<Collection> }> {
  const opened = await openKind<"collection">("postgres.collection", { database, ...configuration }, testScope(name));
  if (setUp) await opened.setup?.apply(new AbortController().signal);
  return { collection: opened.value, opened };
}
