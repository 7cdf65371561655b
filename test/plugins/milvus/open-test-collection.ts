import type { Collection, OpenScope, Opened } from "@codesoul-co/ditto/plugin";
import { openMilvusCollection } from "../../../plugins/milvus/milvus-collection.ts";

/** A collection of a test, and how it ends. */
export interface TestCollection {
  readonly collection: Collection;
  readonly opened: Opened<Collection>;
}

/** A scope of a pipeline. */
function testScope(name: string, log: OpenScope["log"]): OpenScope {
  return {
    id: `resources.${name}`,
    name,
    pipeline: "test",
    folder: "/",
    signal: new AbortController().signal,
    collection: () => undefined,
    judge: async () => () => [],
    mask: (text) => text,
    config: { environment: "test", workspace: "/", timeoutMs: 1000, loopMaxIterations: 32, memory: {}, retrieval: {}, context: {}, sandbox: {} },
    sandbox: { assert: () => undefined, allows: () => true },
    serving: false,
    log,
  } as OpenScope;
}

/** Opens a collection the way a pipeline does, and makes it the way `ditto setup --apply` does. */
export async function openTestCollection(
  configuration: Readonly<Record<string, unknown>>,
  {
    name = "kb",
    database,
    setUp = true,
    log = () => undefined,
  }: { readonly name?: string; readonly database: unknown; readonly setUp?: boolean; readonly log?: OpenScope["log"] },
): Promise<TestCollection> {
  const opened = await openMilvusCollection({ database, ...configuration } as never, testScope(name, log));
  if (setUp) await opened.setup?.apply(new AbortController().signal);
  return { collection: opened.value, opened };
}
