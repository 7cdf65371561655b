import type { Collection, Embedding, FieldDefinition } from "../../contracts/collection.ts";
import type { MemoryDraft } from "../../contracts/memory.ts";
import type { RetrievalSearchInput, RetrievalSearchOutput } from "../../contracts/retrieval.ts";
import { ConformanceError } from "../conformance-error.ts";
import { type Closable, withOpened } from "../with-opened.ts";

/** What the cases for collections try. */
export interface CollectionSubject {
  /** Opens an empty collection that declares this. */
  open(declaration: CollectionDeclaration): Promise<OpenedCollection>;
}

/** What a collection of a case declares. */
export interface CollectionDeclaration {
  readonly name: string;
  readonly fields: Readonly<Record<string, FieldDefinition>>;
  readonly namespace?: string | undefined;
  readonly embedding?: Embedding | undefined;
}

/** An open collection. */
export interface OpenedCollection extends Closable {
  readonly collection: Collection;
}

/** Makes the run of a case out of a declaration and what it tries with the empty collection. */
export function tryCollection(
  declaration: Partial<CollectionDeclaration>,
  work: (collection: Collection) => Promise<void>,
): (subject: CollectionSubject) => Promise<void> {
  return (subject) =>
    withOpened(
      () => subject.open({ name: "kb", fields: {}, ...declaration }),
      ({ collection }) => work(collection),
    );
}

/** Writes memories and returns their ids. */
export async function writeIds(collection: Collection, memories: readonly MemoryDraft[]): Promise<readonly string[]> {
  return (await collection.write({ memories })).map(({ id }) => id);
}

/** Ids that QUERY gives, in its order. */
export async function queryIds(collection: Collection, filter: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  return (await collection.query({ filter, limit: 1000 })).items.map(({ id }) => id);
}

/** Searches by text, or by vector. */
export async function search(
  collection: Collection,
  content: string | readonly number[],
  request: Partial<RetrievalSearchInput> = {},
): Promise<RetrievalSearchOutput["candidates"]> {
  const provider = typeof content === "string" ? collection.text : collection.vector;
  if (provider === undefined) throw new ConformanceError("The collection was opened with an embedding and has no vector search");
  return (await provider.search({ query: { content }, target: { name: "t" }, limit: 1000, ...request })).candidates;
}

/** Ids that a search gives, in its order. */
export async function searchIds(...asked: Parameters<typeof search>): Promise<readonly (string | undefined)[]> {
  return (await search(...asked)).map(({ id }) => id);
}
