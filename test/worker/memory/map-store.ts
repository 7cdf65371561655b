import type {
  MemoryCallOptions,
  MemoryDeleteInput,
  MemoryGetInput,
  MemoryItem,
  MemoryQueryInput,
  MemorySearchInput,
  MemorySearchProvider,
  MemoryStore,
  MemoryUpdateInput,
  MemoryWriteInput,
} from "../../../src/contracts/memory.ts";
import { MemoryError } from "../../../src/contracts/memory-error.ts";

/** A whole store in a Map, with a search by substring; it notes its calls. Its methods need their `this`. */
export class MapStore implements MemoryStore, MemorySearchProvider {
  readonly items: Map<string, MemoryItem> = new Map();
  readonly calls: { method: string; input: unknown; options: MemoryCallOptions | undefined }[] = [];
  #next = 1;

  async get(input: MemoryGetInput, options?: MemoryCallOptions): Promise<MemoryItem[]> {
    this.#note("get", input, options);
    // Newest first, so that a test of the request's order can fail.
    return [...this.items.values()].reverse().filter((item) => input.ids?.includes(item.id) || (item.key !== undefined && input.keys?.includes(item.key)));
  }

  async query(input: MemoryQueryInput, options?: MemoryCallOptions): Promise<{ items: MemoryItem[]; nextCursor?: string }> {
    this.#note("query", input, options);
    const from = Number(input.cursor ?? 0);
    const end = from + (input.limit ?? 0);
    const items = [...this.items.values()].slice(from, end);
    return end < this.items.size ? { items, nextCursor: String(end) } : { items };
  }

  async search(input: MemorySearchInput, options?: MemoryCallOptions): Promise<{ memory: MemoryItem; score: number }[]> {
    this.#note("search", input, options);
    const found = [...this.items.values()].filter((item) => String(item.content).includes(String(input.query)));
    return found.slice(0, input.limit).map((memory, index) => ({ memory, score: index }));
  }

  async write(input: MemoryWriteInput, options?: MemoryCallOptions): Promise<MemoryItem[]> {
    this.#note("write", input, options);
    return input.memories.map((draft) => {
      const item = { ...draft, id: `m${this.#next++}` } as MemoryItem;
      this.items.set(item.id, item);
      return item;
    });
  }

  async update(input: MemoryUpdateInput, options?: MemoryCallOptions): Promise<MemoryItem[]> {
    this.#note("update", input, options);
    return input.memories.map((entry) => {
      const old = this.items.get(entry.id);
      if (!old) throw new MemoryError("NOT_FOUND", "No memory has this id");
      const item = { ...old, ...entry } as MemoryItem;
      this.items.set(item.id, item);
      return item;
    });
  }

  async delete(input: MemoryDeleteInput, options?: MemoryCallOptions): Promise<{ deleted: string[] }> {
    this.#note("delete", input, options);
    return { deleted: input.ids.filter((id) => this.items.delete(id)) };
  }

  #note(method: string, input: unknown, options: MemoryCallOptions | undefined): void {
    this.calls.push({ method, input, options });
  }
}

/** A store of which every method answers with the same value, whatever that is. */
export function storeAnswering(answer: unknown): MemoryStore & MemorySearchProvider {
  const method = async () => answer as never;
  return { get: method, query: method, search: method, write: method, update: method, delete: method };
}

/** A store of which every method throws the same value. */
export function storeThrowing(thrown: unknown): MemoryStore & MemorySearchProvider {
  const method = async () => {
    throw thrown;
  };
  return { get: method, query: method, search: method, write: method, update: method, delete: method };
}
