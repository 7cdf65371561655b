import type {
  MemoryDeleteInput,
  MemoryDeleteOutput,
  MemoryDraft,
  MemoryGetInput,
  MemoryItem,
  MemoryQueryInput,
  MemoryQueryOutput,
  MemorySearchInput,
  MemorySearchOutput,
  MemorySearchProvider,
  MemoryStore,
  MemoryUpdateEntry,
  MemoryUpdateInput,
  MemoryWriteInput,
} from "../../src/contracts/memory.ts";
import { MemoryError } from "../../src/contracts/memory-error.ts";

/** A whole memory store and its search, kept in a Map. Its small steps can be replaced one by one, to plant a fault. */
export class InMemoryStore implements MemoryStore, MemorySearchProvider {
  protected readonly items: Map<string, MemoryItem> = new Map();
  readonly #scopeField: string | undefined;
  #given = 0;

  /** @param scopeField The metadata field that is the scope; none without it. */
  constructor(scopeField?: string) {
    this.#scopeField = scopeField;
  }

  async get({ ids = [], keys = [], filter }: MemoryGetInput): Promise<readonly MemoryItem[]> {
    const scope = this.scopeOf(filter);
    const wanted = keys.map((key) => this.foldKey(key));
    return [...this.items.values()].filter((item) => this.isIn(item, scope) && (ids.includes(item.id) || wanted.includes(this.foldKey(item.key ?? ""))));
  }

  async query({ filter, limit = 100, cursor }: MemoryQueryInput): Promise<MemoryQueryOutput> {
    const scope = this.scopeOf(filter);
    const items = [...this.items.values()].filter((item) => this.isIn(item, scope));
    const start = cursor === undefined ? 0 : items.findIndex(({ id }) => id === cursor) + 1;
    const page = items.slice(start, start + limit);
    return start + limit < items.length ? { items: page, nextCursor: page.at(-1)!.id } : { items: page };
  }

  async search({ query, strategy = "words", filter, limit = 10 }: MemorySearchInput): Promise<MemorySearchOutput> {
    if (strategy !== "words") throw new MemoryError("UNSUPPORTED_STRATEGY", "There is only the strategy words");
    const scope = this.scopeOf(filter);
    const hits = [...this.items.values()].flatMap((memory) => {
      const score = this.isIn(memory, scope) ? this.score(String(query), String(memory.content)) : 0;
      return score === 0 ? [] : [{ memory, score }];
    });
    return hits.sort((a, b) => b.score - a.score).slice(0, limit);
  }

  async write({ memories }: MemoryWriteInput): Promise<readonly MemoryItem[]> {
    const scopes = memories.map(({ metadata }) => this.scopeOf(metadata));
    for (const [index, { key }] of memories.entries()) {
      const sameInBatch = memories.some((other, at) => at < index && other.key === key && scopes[at] === scopes[index]);
      if (key !== undefined && (sameInBatch || this.hasKey(key, scopes[index]))) throw new MemoryError("CONFLICT", "The key is taken");
    }
    return memories.map((draft) => this.keep(draft));
  }

  async update({ memories, filter }: MemoryUpdateInput): Promise<readonly MemoryItem[]> {
    const scope = this.scopeOf(filter);
    const updated = memories.map((entry) => {
      const item = this.items.get(entry.id);
      if (item === undefined || !this.isIn(item, scope)) throw new MemoryError("NOT_FOUND", "There is no memory with this id");
      return this.merge(item, entry);
    });
    for (const item of updated) this.items.set(item.id, item);
    return updated;
  }

  async delete({ ids, filter }: MemoryDeleteInput): Promise<MemoryDeleteOutput> {
    const scope = this.scopeOf(filter);
    return { deleted: ids.filter((id) => this.items.has(id) && this.isIn(this.items.get(id)!, scope) && this.items.delete(id)) };
  }

  /** The scope that a filter or metadata name. */
  protected scopeOf(named: Readonly<Record<string, unknown>> | undefined): unknown {
    if (this.#scopeField === undefined) return undefined;
    const scope = named?.[this.#scopeField];
    if (typeof scope !== "string") throw new MemoryError("INVALID_FILTER", "The scope is missing");
    return scope;
  }

  protected isIn({ metadata }: MemoryItem, scope: unknown): boolean {
    return this.#scopeField === undefined || metadata?.[this.#scopeField] === scope;
  }

  protected foldKey(key: string): string {
    return key;
  }

  protected hasKey(key: string, scope: unknown): boolean {
    return [...this.items.values()].some((item) => item.key === key && this.isIn(item, scope));
  }

  protected keep({ key, content, metadata }: MemoryDraft): MemoryItem {
    this.#given += 1;
    const id = `m${String(this.#given).padStart(6, "0")}`;
    const item = structuredClone({ id, ...(key === undefined ? {} : { key }), content, ...(metadata === undefined ? {} : { metadata }) });
    this.items.set(id, item);
    return item;
  }

  protected merge(item: MemoryItem, { metadata = item.metadata, ...entry }: MemoryUpdateEntry): MemoryItem {
    const field = this.#scopeField;
    const scope = field === undefined ? undefined : { [field]: item.metadata?.[field] };
    if (scope !== undefined && metadata?.[field!] !== undefined && metadata[field!] !== scope[field!])
      throw new MemoryError("INVALID_INPUT", "The scope stays");
    const merged = metadata === undefined ? undefined : { ...metadata, ...scope };
    return structuredClone({ ...item, ...("content" in entry ? { content: entry.content } : {}), ...(merged === undefined ? {} : { metadata: merged }) });
  }

  /** How many of the query's words a text has. */
  protected score(query: string, text: string): number {
    const words = wordsOf(text);
    return new Set(wordsOf(query).filter((word) => words.includes(word))).size;
  }
}

/** The words of a text; each Han character is one. */
export function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}]+/gu) ?? [];
}
