import { isCodedError } from "../contracts/coded-error.ts";
import type { Collection, CollectionRecord, StoredPart } from "../contracts/collection.ts";
import { InFlight } from "./in-flight.ts";
import { IngestError } from "./ingest-error.ts";
import { withModel } from "./record-hash.ts";

/** Options of {@link copyCollection}. */
export interface CopyCollectionOptions {
  /** Rows of one transaction; 64 by default. */
  readonly batchSize?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: CopyProgress) => void) | undefined;
}

/** Where a copy is. */
interface CopyProgress {
  /** Rows that are done. */
  readonly done: number;
  readonly total: number;
}

/** What a copy did. */
export interface CopyReport {
  readonly outcome: "complete" | "cancelled";
  /** Rows read. */
  readonly read: number;
  /** Records written. */
  readonly written: number;
  /** Records that the other collection had already. */
  readonly unchanged: number;
  /** Texts longer than the encoder takes. */
  readonly cut: number;
}

/**
 * Copies every record of a collection into another one, which embeds the texts anew; all scopes, keys included.
 *
 * What the other collection holds already and has not changed is left alone, so a copy that was interrupted goes on. Nothing is
 * removed there. The next ingest into the other collection finds its records unchanged.
 *
 * @param from Where the records are.
 * @param to Where they go: another collection.
 * @param options Batches and progress.
 * @throws IngestError `INGEST_NAMESPACE_NEEDED` for a row without the scope that `to` needs; the code of the collection that failed.
 */
export async function copyCollection(from: Collection, to: Collection, options: CopyCollectionOptions = {}): Promise<CopyReport> {
  const copy = new CopyRun(from, to, options);
  try {
    await copy.run();
  } catch (error) {
    if (options.signal?.aborted !== true) throw isCodedError(error) ? error : new IngestError("INGEST_WRITE_FAILED", "The copy failed", { cause: error });
  }
  return copy.report();
}

/** A record whose rows are being read. */
interface OpenRecord {
  readonly recordId: string;
  readonly namespace: string | undefined;
  readonly hash: string;
  readonly parts: StoredPart[];
}

interface Batch {
  readonly namespace: string | undefined;
  readonly records: CollectionRecord[];
  rows: number;
}

class CopyRun {
  readonly #from: Collection;
  readonly #to: Collection;
  readonly #options: CopyCollectionOptions;
  readonly #inFlight = new InFlight(2);
  readonly #open = new Map<string, OpenRecord>();
  readonly #batches = new Map<string | undefined, Batch>();
  readonly #counts = { read: 0, done: 0, written: 0, unchanged: 0, cut: 0 };
  #total = 0;

  constructor(from: Collection, to: Collection, options: CopyCollectionOptions) {
    this.#from = from;
    this.#to = to;
    this.#options = options;
  }

  async run(): Promise<void> {
    const { signal } = this.#options;
    this.#to.embedding?.growTo?.(2);
    this.#total = await this.#from.records.count({ signal });
    for await (const rows of this.#from.records.scan({ signal, batchSize: 500 })) {
      if (signal?.aborted === true) break;
      for (const row of rows) {
        this.#counts.read += 1;
        for (const record of this.#closed(row)) await this.#take(record);
        this.#keep(row);
      }
    }
    if (signal?.aborted !== true) {
      for (const record of this.#open.values()) await this.#take(record);
      for (const batch of this.#batches.values()) await this.#write(batch);
    }
    await this.#inFlight.end();
  }

  report(): CopyReport {
    const { read, written, unchanged, cut } = this.#counts;
    return Object.freeze({ outcome: this.#options.signal?.aborted === true ? "cancelled" : "complete", read, written, unchanged, cut });
  }

  #keep(row: StoredPart): void {
    const namespace = this.#namespaceOf(row);
    const key = JSON.stringify([namespace ?? null, row.recordId]);
    const open = this.#open.get(key);
    if (open !== undefined) open.parts.push(row);
    else this.#open.set(key, { recordId: row.recordId, namespace, hash: withModel(row.hash ?? "", this.#to.embedding?.facts.model), parts: [row] });
  }

  /** Rows come by id, and the ids of a record's chunks begin with the record's: any other id says that it is complete. */
  *#closed(row: StoredPart): Generator<OpenRecord> {
    for (const [key, record] of this.#open) {
      if (row.id === record.recordId || row.id.startsWith(`${record.recordId}#`)) continue;
      this.#open.delete(key);
      yield record;
    }
  }

  #namespaceOf(row: StoredPart): string | undefined {
    const field = this.#to.facts.namespace;
    if (field === undefined) return undefined;
    const namespace = row.metadata?.[field] ?? row.namespace;
    if (typeof namespace === "string" && namespace !== "") return namespace;
    throw new IngestError("INGEST_NAMESPACE_NEEDED", `The row "${row.id}" has no "${field}", which is the scope of "${this.#to.facts.name}"`);
  }

  async #take(record: OpenRecord): Promise<void> {
    const parts = record.parts.map(({ id, key, content, metadata }) => ({ id, key, content, metadata: this.#withScope(metadata, record.namespace) }));
    const batch = this.#batches.get(record.namespace) ?? { namespace: record.namespace, records: [], rows: 0 };
    this.#batches.set(record.namespace, batch);
    batch.records.push({ id: record.recordId, hash: record.hash, parts });
    batch.rows += parts.length;
    if (batch.rows >= (this.#options.batchSize ?? 64)) await this.#write(batch);
  }

  #withScope(metadata: StoredPart["metadata"], namespace: string | undefined): StoredPart["metadata"] {
    const field = this.#to.facts.namespace;
    return field === undefined || namespace === undefined ? metadata : { ...metadata, [field]: namespace };
  }

  async #write(batch: Batch): Promise<void> {
    this.#batches.delete(batch.namespace);
    await this.#inFlight.start(() => this.#replace(batch));
  }

  async #replace({ namespace, records, rows }: Batch): Promise<void> {
    const { signal, onProgress } = this.#options;
    const call = { signal, namespace };
    const known = await this.#to.records.hashes(
      records.map(({ id }) => id),
      call,
    );
    const changed = records.filter(({ id, hash }) => hash === "" || known.get(id) !== hash);
    if (changed.length > 0) this.#counts.cut += (await this.#to.records.replace(changed, call)).cut;
    this.#counts.written += changed.length;
    this.#counts.unchanged += records.length - changed.length;
    this.#counts.done += rows;
    onProgress?.({ done: this.#counts.done, total: this.#total });
  }
}
