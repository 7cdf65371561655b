import type { Collection, Embedding, OpenScope, Opened, RoleTypes } from "@codesoul-co/ditto/plugin";
import plugin from "../../../plugins/sqlite/index.ts";

/** A collection of a test, and how it ends. */
export interface TestCollection {
  readonly collection: Collection;
  readonly opened: Opened<Collection>;
  readonly database: unknown;
  readonly close: () => Promise<void>;
}

/** A scope of a pipeline that was opened in `folder`. */
function testScope(name: string, folder: string): OpenScope {
  return {
    id: `resources.${name}`,
    name,
    pipeline: "test",
    folder,
    signal: new AbortController().signal,
    collection: () => undefined,
    judge: async () => () => [],
    mask: (text) => text,
    config: { environment: "test", workspace: folder, timeoutMs: 1000, loopMaxIterations: 32, memory: {}, retrieval: {}, context: {}, sandbox: {} },
    sandbox: { assert: () => undefined, allows: () => true },
    log: () => undefined,
  };
}

/** Opens a connection the way a pipeline does. */
export async function openDatabase(file: string, folder = "/", threads = 0): Promise<Opened<unknown>> {
  return await open<"connection">("sqlite", { file, threads }, testScope("db", folder));
}

/** Opens a collection the way a pipeline does. */
export async function openCollection(
  configuration: Readonly<Record<string, unknown>>,
  { name = "kb", database }: { readonly name?: string; readonly database?: unknown } = {},
): Promise<TestCollection> {
  const connection = database === undefined ? await openDatabase(":memory:") : { value: database };
  const opened = await open<"collection">("sqlite.collection", { database: connection.value, ...configuration }, testScope(name, "/"));
  return {
    collection: opened.value,
    opened,
    database: connection.value,
    close: async () => {
      await opened.close?.();
      await connection.close?.();
    },
  };
}

/**
 * An embedding whose vectors are told beforehand, or counted out of a text's letters.
 *
 * @param vectors Vectors of texts; other texts get the counts of `a` to `h`, and one.
 */
export function testEmbedding(
  vectors: Readonly<Record<string, readonly number[]>> = {},
  facts: Partial<Embedding["facts"]> = {},
): Embedding & { readonly seen: string[] } {
  const seen: string[] = [];
  return {
    seen,
    facts: { model: "letters", dimensions: 9, ...facts },
    countTokens: (text) => text.split(" ").length,
    embed: async ({ contents }) =>
      contents.map((content) => {
        const text = String(content);
        seen.push(text);
        return vectors[text] ?? [...["a", "b", "c", "d", "e", "f", "g", "h"].map((letter) => text.split(letter).length - 1), 1];
      }),
  };
}

async function open<R extends "connection" | "collection">(kind: string, configuration: unknown, scope: OpenScope): Promise<Opened<RoleTypes[R]>> {
  const definition = plugin.kinds.find((each) => each.kind === kind);
  if (definition?.open === undefined) throw new Error(`No kind ${kind}`);
  return (await definition.open(configuration, scope)) as Opened<RoleTypes[R]>;
}
