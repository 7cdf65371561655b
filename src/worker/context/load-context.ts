import { isRecord } from "../../base/is-record.ts";
import type { Context, ContextItem, Reference } from "../../contracts/context.ts";
import { ContextError } from "../../contracts/context-error.ts";
import type { ContextReferenceResolver } from "../../contracts/context-services.ts";
import { askService } from "./ask-service.ts";
import { contentId } from "./content-id.ts";
import type { ContextRun } from "./context-run.ts";
import { replaceContext } from "./context-state.ts";
import { contextOf } from "./context-value-reader.ts";
import { ItemCollection } from "./item-collection.ts";

/**
 * Runs `CONTEXT.LOAD`: makes a Context of messages, references and items, and stores it where the request names a scope.
 *
 * A reference that is not fetched becomes an item whose content is its URI. Its id does not change when it is fetched later.
 */
export async function loadContext(value: unknown, run: ContextRun): Promise<Context> {
  const input = run.request.object(value, "input", ["sources", "resolveReferences", "scope"]);
  const { resolveReferences = false } = input;
  if (typeof resolveReferences !== "boolean") return run.request.refuse("resolveReferences must be true or false");
  const scope = input.scope === undefined ? undefined : run.request.scope(input.scope, "scope");
  const collection = new ItemCollection(run.policy);
  const pending = new Map<ContextItem, Reference>();
  for (const [index, source] of run.request.array(input.sources, "sources").entries()) {
    const { item, reference } = readSource(source, `sources[${index}]`, run);
    if (reference) pending.set(item, reference);
    collection.add(item);
  }
  // Doubles are gone and the cap has held before anything is fetched.
  const loaded = collection.toContext();
  const context = resolveReferences && pending.size > 0 ? await fetchReferences(loaded, pending, run) : loaded;
  if (scope) await replaceContext(scope, run, context);
  return context;
}

function readSource(value: unknown, at: string, run: ContextRun): { readonly item: ContextItem; readonly reference?: Reference } {
  const kinds = isRecord(value) ? ["role", "uri", "id"].filter((name) => Object.hasOwn(value, name)) : [];
  if (kinds.length !== 1) return run.request.refuse(`${at} must be a message (role), a reference (uri) or an item (id)`);
  if (kinds[0] === "id") return { item: run.request.item(value, at) };
  if (kinds[0] === "role") return { item: readMessage(value, at, run) };
  const reference = run.request.reference(value, at);
  return { item: referenceItem(reference, reference.uri, at, run), reference };
}

function readMessage(value: unknown, at: string, run: ContextRun): ContextItem {
  const reader = run.request;
  const message = reader.object(value, at, ["role", "content", "name", "metadata"]);
  const metadata = reader.optionalJsonObject(message.metadata, `${at}.metadata`);
  const role = reader.text(message.role, `${at}.role`);
  const name = message.name === undefined ? undefined : { name: reader.text(message.name, `${at}.name`) };
  const content = reader.content(message.content, `${at}.content`);
  const id = contentId("message", { role, content, ...name, metadata });
  return reader.makeItem({ id, content, metadata: Object.freeze({ ...metadata, role, ...name }) }, at);
}

function referenceItem(reference: Reference, content: ContextItem["content"], at: string, run: ContextRun): ContextItem {
  const id = contentId("reference", { ...reference });
  return run.request.makeItem({ id, content, source: reference, metadata: reference.metadata }, at);
}

async function fetchReferences(context: Context, pending: ReadonlyMap<ContextItem, Reference>, run: ContextRun): Promise<Context> {
  const resolver = run.services.referenceResolver;
  if (!resolver) throw new ContextError("RESOLVER_UNAVAILABLE", "resolveReferences needs a referenceResolver, and none is configured");
  const fetched = context.items.map(async (item) => {
    const reference = pending.get(item);
    return reference ? referenceItem(reference, await fetchReference(reference, resolver, run), "The fetched item", run) : item;
  });
  // All of them end before the first failure is told: nothing goes on behind the caller's back.
  const ends = await Promise.allSettled(fetched);
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return contextOf(await Promise.all(fetched));
}

async function fetchReference(reference: Reference, resolver: ContextReferenceResolver, run: ContextRun): Promise<ContextItem["content"]> {
  const failure = { code: "RESOLVER_UNAVAILABLE", message: "The reference resolver failed" } as const;
  const content: unknown = await askService(run.call, failure, () => resolver.resolve(reference, run.call));
  return run.answer.content(content, "The fetched content");
}
