import { canonicalJson } from "../base/canonical-json.ts";
import type { Collection, Embedding } from "../contracts/collection.ts";
import type { JsonValue } from "../contracts/json.ts";
import type { RetrievalCandidate, RetrievalSearchInput, RetrievalSearchOutput, RetrievalSearchProvider } from "../contracts/retrieval.ts";
import type { Plan } from "../pipeline/model/plan.ts";

/**
 * Collections and embeddings of an open pipeline that remember what they answered, so that queries are embedded and looked up once
 * however often their answers are fused. Only for reading: nothing notices a write.
 *
 * @param plan What the pipeline was compiled to.
 * @param resource Gives the live thing of a name.
 * @returns By resource name.
 */
export function rememberedResources(plan: Plan, resource: (name: string) => unknown): Readonly<Record<string, unknown>> {
  const roles = new Map(plan.components.map(({ id, role }) => [id, role]));
  const embeddings = new Map<unknown, unknown>();
  const remember = (embedding: Embedding): Embedding => {
    const known = embeddings.get(embedding) ?? rememberedEmbedding(embedding);
    embeddings.set(embedding, known);
    return known as Embedding;
  };
  return Object.fromEntries(
    Object.entries(plan.resources).flatMap(([name, id]): readonly (readonly [string, unknown])[] => {
      const role = roles.get(id);
      if (role === "embedding") return [[name, remember(resource(name) as Embedding)]];
      return role === "collection" ? [[name, rememberedCollection(resource(name) as Collection, remember)]] : [];
    }),
  );
}

function rememberedCollection(collection: Collection, remember: (embedding: Embedding) => Embedding): Collection {
  const content = sharedContents();
  const members: { [key: string]: unknown } = { text: rememberedSearch(collection.text, content) };
  if (collection.vector !== undefined) members["vector"] = rememberedSearch(collection.vector, content);
  if (collection.embedding !== undefined) members["embedding"] = remember(collection.embedding);
  return standIn(collection, members);
}

/** The same thing with some members replaced; methods keep their own `this`. */
function standIn<T extends object>(thing: T, members: Readonly<Record<string, unknown>>): T {
  return new Proxy(thing, {
    get: (target, name) => {
      if (typeof name === "string" && Object.hasOwn(members, name)) return members[name];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Found again and again, a document's content is kept once. */
function sharedContents(): (candidate: RetrievalCandidate) => RetrievalCandidate {
  const contents = new Map<string, unknown>();
  return (candidate) => {
    const { id, content } = candidate;
    if (id === undefined || typeof content !== "string") return candidate;
    if (contents.get(id) !== content) contents.set(id, content);
    return { ...candidate, content: contents.get(id) };
  };
}

function rememberedSearch(search: RetrievalSearchProvider, share: (candidate: RetrievalCandidate) => RetrievalCandidate): RetrievalSearchProvider {
  const answers = new Map<string, Promise<RetrievalSearchOutput>>();
  return {
    search: async (input, context) => {
      const answer = await lookUp(answers, keyOf(input), async () => {
        const output = await search.search(input, context);
        return { ...output, candidates: output.candidates.map(share) };
      });
      return { ...answer, target: input.target, ...(input.strategy === undefined ? {} : { strategy: input.strategy }) };
    },
  };
}

/** Everything that an answer depends on; the limit too, for an approximate index may find other things when it is asked for more. */
function keyOf({ query, target, filter, limit, options }: RetrievalSearchInput): string {
  const content = Array.isArray(query.content) ? query.content.join(" ") : query.content;
  return canonicalJson([content, target.namespace ?? null, filter ?? null, limit ?? null, options ?? null] as JsonValue);
}

function rememberedEmbedding(embedding: Embedding): Embedding {
  const vectors = new Map<string, Promise<readonly number[]>>();
  const embed: Embedding["embed"] = ({ contents, purpose }, context) =>
    Promise.all(
      contents.map((content) =>
        lookUp(vectors, canonicalJson([purpose, content as JsonValue]), async () => {
          const [vector = []] = await embedding.embed({ contents: [content], purpose }, context);
          return vector;
        }),
      ),
    );
  return standIn(embedding, { embed });
}

/** What failed is not remembered. */
function lookUp<T>(known: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make().catch((error: unknown) => {
    known.delete(key);
    throw error;
  });
  known.set(key, made);
  return made;
}
