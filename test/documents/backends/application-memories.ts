import type {
  MemoryCallOptions,
  MemoryDeleteInput,
  MemoryDeleteOutput,
  MemoryGetInput,
  MemoryItem,
  MemoryQueryInput,
  MemoryQueryOutput,
  MemorySearchInput,
  MemorySearchOutput,
  MemorySearchProvider,
  MemoryStore,
  MemoryUpdateInput,
  MemoryWriteInput,
} from "@codesoul-co/ditto/worker/memory";
import { MemoryError } from "@codesoul-co/ditto/worker/memory";
import Database from "better-sqlite3";
import { hashedVector, nearness } from "./hashed-embedding.ts";

interface Row {
  readonly id: string;
  readonly key: string | null;
  readonly content: string;
  readonly metadata: string | null;
}

/** A row of a search, as the database gives it. */
export interface FoundRow extends Row {
  readonly score: number;
}

const schema = `
  CREATE TABLE memories (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, key TEXT UNIQUE, content TEXT NOT NULL, metadata TEXT, tenant TEXT, embedding TEXT NOT NULL
  );
  CREATE VIRTUAL TABLE words USING fts5(text, tokenize = 'porter unicode61');
`;

/** A storage plugin as an application writes one: SQLite with FTS5, and vectors compared here. Its methods need their receiver. */
export class ApplicationMemories implements MemoryStore, MemorySearchProvider {
  readonly calls: { readonly method: string; readonly input: unknown; readonly options: MemoryCallOptions | undefined }[] = [];
  readonly #database = new Database(":memory:");
  #given = 0;

  constructor() {
    this.#database.exec(schema);
  }

  close(): void {
    this.#database.close();
  }

  async get(input: MemoryGetInput, options?: MemoryCallOptions): Promise<readonly MemoryItem[]> {
    this.calls.push({ method: "get", input, options });
    const { ids = [], keys = [] } = input;
    const where = `id IN (SELECT value FROM json_each(?)) OR key IN (SELECT value FROM json_each(?))`;
    return this.#rows(`SELECT id, key, content, metadata FROM memories WHERE ${where}`, JSON.stringify(ids), JSON.stringify(keys)).map(toItem);
  }

  async query(input: MemoryQueryInput, options?: MemoryCallOptions): Promise<MemoryQueryOutput> {
    this.calls.push({ method: "query", input, options });
    const { limit = 100, cursor, filter = {}, orderBy = [] } = input;
    const wanted = Object.entries(filter);
    const items = this.#rows("SELECT id, key, content, metadata FROM memories ORDER BY id")
      .map(toItem)
      .filter(({ metadata }) => wanted.every(([field, value]) => metadata?.[field] === value))
      .sort((a, b) =>
        orderBy.reduce((order, { field, direction }) => order || (direction === "desc" ? -1 : 1) * compare(fieldOf(a, field), fieldOf(b, field)), 0),
      );
    const start = cursor === undefined ? 0 : items.findIndex(({ id }) => id === cursor) + 1;
    const page = items.slice(start, start + limit);
    return start + limit < items.length ? { items: page, nextCursor: page.at(-1)!.id } : { items: page };
  }

  async search(input: MemorySearchInput, options?: MemoryCallOptions): Promise<MemorySearchOutput> {
    this.calls.push({ method: "search", input, options });
    const { query, strategy = "keyword", limit = 10, options: parameters = {} } = input;
    if ((parameters.metric ?? "COSINE") !== "COSINE") throw new MemoryError("UNSUPPORTED_METRIC", "Only the metric COSINE is supported");
    if (strategy !== "keyword" && strategy !== "vector") throw new MemoryError("UNSUPPORTED_STRATEGY", "Only keyword and vector search are supported");
    const tenant = tenantOf(input.filter);
    const rows = strategy === "keyword" ? this.findText(String(query), tenant, limit) : this.findNear(vectorOf(query), tenant, limit);
    return rows.map((row) => ({ memory: toItem(row), score: row.score }));
  }

  async write(input: MemoryWriteInput, options?: MemoryCallOptions): Promise<readonly MemoryItem[]> {
    this.calls.push({ method: "write", input, options });
    const insert = this.#database.prepare("INSERT INTO memories (id, key, content, metadata, tenant, embedding) VALUES (?, ?, ?, ?, ?, ?)");
    return this.#database.transaction(() =>
      input.memories.map(({ key, content, metadata }) => {
        this.#given += 1;
        const id = `m${this.#given}`;
        const { lastInsertRowid } = insert.run(id, key ?? null, JSON.stringify(content), json(metadata), metadata?.tenant ?? null, vectorText(content));
        this.#database.prepare("INSERT INTO words (rowid, text) VALUES (?, ?)").run(lastInsertRowid, textOf(content));
        return toItem(this.#row(id)!);
      }),
    )();
  }

  async update(input: MemoryUpdateInput, options?: MemoryCallOptions): Promise<readonly MemoryItem[]> {
    this.calls.push({ method: "update", input, options });
    return this.#database.transaction(() =>
      input.memories.map((entry) => {
        const { id, metadata } = entry;
        if (this.#row(id) === undefined) throw new MemoryError("NOT_FOUND", "No memory has this id");
        if (metadata !== undefined) this.#database.prepare("UPDATE memories SET metadata = ? WHERE id = ?").run(json(metadata), id);
        if ("content" in entry) {
          this.#database
            .prepare("UPDATE memories SET content = ?, embedding = ? WHERE id = ?")
            .run(JSON.stringify(entry.content), vectorText(entry.content), id);
          this.#database.prepare("UPDATE words SET text = ? WHERE rowid = (SELECT seq FROM memories WHERE id = ?)").run(textOf(entry.content), id);
        }
        return toItem(this.#row(id)!);
      }),
    )();
  }

  async delete(input: MemoryDeleteInput, options?: MemoryCallOptions): Promise<MemoryDeleteOutput> {
    this.calls.push({ method: "delete", input, options });
    return this.#database.transaction(() => ({
      deleted: input.ids.filter((id) => {
        this.#database.prepare("DELETE FROM words WHERE rowid = (SELECT seq FROM memories WHERE id = ?)").run(id);
        return this.#database.prepare("DELETE FROM memories WHERE id = ?").run(id).changes === 1;
      }),
    }))();
  }

  /** Full text, best first: FTS5's bm25, turned so that more is better. */
  findText(text: string, tenant: string | null, limit: number): readonly FoundRow[] {
    const words = (text.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `"${word}"`).join(" OR ");
    if (words === "") return [];
    return this.#database
      .prepare<unknown[], FoundRow>(
        `SELECT id, key, content, metadata, -bm25(words) AS score FROM words JOIN memories ON memories.seq = words.rowid
         WHERE words MATCH ? AND (? IS NULL OR tenant = ?) ORDER BY score DESC, id ASC LIMIT ?`,
      )
      .all(words, tenant, tenant, limit);
  }

  /** Nearest vectors, best first. */
  findNear(vector: readonly number[], tenant: string | null, limit: number): readonly FoundRow[] {
    const rows = this.#database.prepare<unknown[], Row & { embedding: string }>("SELECT * FROM memories WHERE ? IS NULL OR tenant = ?").all(tenant, tenant);
    const scored = rows.map((row) => ({ ...row, score: nearness(vector, JSON.parse(row.embedding) as number[]) }));
    return scored.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, limit);
  }

  #rows(sql: string, ...values: unknown[]): readonly Row[] {
    return this.#database.prepare<unknown[], Row>(sql).all(...values);
  }

  #row(id: string): Row | undefined {
    return this.#rows("SELECT id, key, content, metadata FROM memories WHERE id = ?", id)[0];
  }
}

/** The whole record of a row. */
export function toItem({ id, key, content, metadata }: Row): MemoryItem {
  return { id, content: JSON.parse(content), ...(key === null ? {} : { key }), ...(metadata === null ? {} : { metadata: JSON.parse(metadata) }) };
}

function tenantOf(filter: Readonly<Record<string, unknown>> | undefined): string | null {
  const { tenant = null, ...others } = filter ?? {};
  if (Object.keys(others).length > 0) throw new MemoryError("UNSUPPORTED_FILTER", "Only tenant can be filtered by");
  return tenant === null ? null : String(tenant);
}

function vectorOf(query: unknown): readonly number[] {
  return typeof query === "string" ? hashedVector(query) : (query as { readonly vector: readonly number[] }).vector;
}

function fieldOf(item: MemoryItem, field: string): string {
  return field === "id" ? item.id : String(item.metadata?.[field] ?? "");
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function textOf(content: unknown): string {
  return typeof content === "string" ? content : JSON.stringify(content);
}

function vectorText(content: unknown): string {
  return JSON.stringify(hashedVector(textOf(content)));
}

function json(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
