import { invariant } from "../base/invariant.ts";
import { isCodedError } from "../contracts/coded-error.ts";
import type { Collection, CollectionPart, CollectionRecord } from "../contracts/collection.ts";
import type { JsonObject, JsonValue } from "../contracts/json.ts";
import type { ChunkOptions } from "../pipeline/model/compiled-ingest.ts";
import { chunkText } from "./chunk-text.ts";
import type { FailedRecord } from "./ingest-report.ts";
import type { InFlight } from "./in-flight.ts";
import { recordHash } from "./record-hash.ts";

/** A record that was read, judged and mapped. */
export interface PreparedRecord {
  readonly line: number;
  readonly id: string;
  readonly content: JsonValue;
  readonly metadata: JsonObject;
}

/** Options of {@link CollectionWriter}. */
export interface CollectionWriterOptions {
  readonly name: string;
  readonly collection: Collection;
  /** The ingest's name, which is kept with what it wrote. */
  readonly ingest: string;
  readonly chunk: ChunkOptions | undefined;
  /** Rows of a batch; a record with more chunks is a batch of its own. */
  readonly batchSize: number;
  readonly inFlight: InFlight;
  readonly signal: AbortSignal | undefined;
  /** Told about a record that the collection refuses. */
  readonly onFailed: (failed: FailedRecord) => void;
  /** Told when a batch is written. */
  readonly onWritten: () => void;
}

/** Records of one scope, on their way. */
interface ScopeQueue {
  readonly namespace: string | undefined;
  /** Not yet asked whether they changed. */
  asked: PreparedRecord[];
  /** Changed, waiting for a full batch. */
  changed: ChangedRecord[];
  rows: number;
}

interface ChangedRecord {
  readonly line: number;
  readonly record: CollectionRecord;
}

/** A batch of as many scopes as this is written although it is not full, so that many scopes do not fill the memory. */
const mostQueuedBatches = 16;

/** Writes records to one collection: leaves out what has not changed, cuts texts, and hands on batches of one scope each. */
export class CollectionWriter {
  readonly counts: { written: number; unchanged: number; chunks: number; cut: number } = { written: 0, unchanged: 0, chunks: 0, cut: 0 };
  readonly #options: CollectionWriterOptions;
  readonly #queues = new Map<string | undefined, ScopeQueue>();
  /** The line of each record of this run, by scope and id. */
  readonly #lines = new Map<string, number>();
  #queued = 0;

  constructor(options: CollectionWriterOptions) {
    this.#options = options;
  }

  /** What keeps this collection from taking a record, as a sentence; undefined where nothing does. */
  problemWith(record: PreparedRecord): string | undefined {
    const { collection, name, chunk } = this.#options;
    const field = collection.facts.namespace;
    const namespace = this.#namespaceOf(record);
    if (field !== undefined && (typeof namespace !== "string" || namespace === "")) return `metadata.${field} must be a text, for it is the scope of "${name}"`;
    const line = this.#lines.get(recordKey(record.id, namespace));
    if (line !== undefined) return `the id "${record.id}" was used by line ${line} already`;
    return chunk !== undefined && typeof record.content !== "string" ? "the content must be a text, for it is cut into chunks" : undefined;
  }

  /** Takes a record without a problem. Waits while enough is under way; rejects with the error of a batch that failed. */
  async add(record: PreparedRecord): Promise<void> {
    const namespace = this.#namespaceOf(record);
    this.#lines.set(recordKey(record.id, namespace), record.line);
    let queue = this.#queues.get(namespace);
    if (queue === undefined) {
      queue = { namespace, asked: [], changed: [], rows: 0 };
      this.#queues.set(namespace, queue);
    }
    queue.asked.push(record);
    this.#queued += 1;
    if (queue.asked.length >= this.#options.batchSize) await this.#advance(queue);
    if (this.#queued >= this.#options.batchSize * mostQueuedBatches) await this.flush();
  }

  /** Hands on everything that waits for a full batch. */
  async flush(): Promise<void> {
    for (const queue of this.#queues.values()) {
      await this.#advance(queue);
      await this.#write(queue);
    }
    this.#queues.clear();
  }

  /** Whether a record of the collection was in this run's source. */
  has(id: string, namespace: string | undefined): boolean {
    return this.#lines.has(recordKey(id, namespace));
  }

  #namespaceOf(record: PreparedRecord): string | undefined {
    const field = this.#options.collection.facts.namespace;
    return field === undefined ? undefined : (record.metadata[field] as string | undefined);
  }

  /** Asks which records changed, cuts those, and writes full batches. */
  async #advance(queue: ScopeQueue): Promise<void> {
    const { collection, signal, batchSize } = this.#options;
    const records = queue.asked;
    if (records.length === 0) return;
    queue.asked = [];
    const ids = records.map((record) => record.id);
    const known = await collection.records.hashes(ids, { signal, namespace: queue.namespace });
    for (const record of records) {
      const hash = this.#hash(record);
      if (known.get(record.id) === hash) {
        this.counts.unchanged += 1;
        this.#queued -= 1;
        continue;
      }
      const parts = this.#parts(record);
      if (queue.rows > 0 && queue.rows + parts.length > batchSize) await this.#write(queue);
      queue.changed.push({ line: record.line, record: { id: record.id, hash, parts } });
      queue.rows += parts.length;
      if (queue.rows >= batchSize) await this.#write(queue);
    }
  }

  #hash({ content, metadata }: PreparedRecord): string {
    const { collection, chunk, ingest } = this.#options;
    return recordHash({ content, metadata, chunk, model: collection.embedding?.facts.model, ingest });
  }

  #parts({ id, content, metadata }: PreparedRecord): readonly CollectionPart[] {
    const { chunk, collection } = this.#options;
    if (chunk === undefined) return [{ id, content, metadata }];
    invariant(typeof content === "string", "only texts are cut");
    const embedding = collection.embedding;
    const chunks = chunkText(content, { ...chunk, countTokens: embedding?.countTokens?.bind(embedding) });
    return chunks.map(({ text }, index) => ({ id: `${id}#${index}`, content: text, metadata }));
  }

  async #write(queue: ScopeQueue): Promise<void> {
    const batch = queue.changed;
    if (batch.length === 0) return;
    queue.changed = [];
    queue.rows = 0;
    this.#queued -= batch.length;
    await this.#options.inFlight.start(() => this.#replace(batch, queue.namespace));
  }

  /** Writes a batch; where the collection refuses a record of it, the others alone, and the refused one is named. */
  async #replace(batch: readonly ChangedRecord[], namespace: string | undefined): Promise<void> {
    const { collection, signal, onFailed, onWritten } = this.#options;
    const records = batch.map(({ record }) => record);
    try {
      const report = await collection.records.replace(records, { signal, namespace });
      this.counts.written += batch.length;
      this.counts.chunks += report.written;
      this.counts.cut += report.cut;
      onWritten();
    } catch (error) {
      if (signal?.aborted === true) return;
      if (!isRefusal(error)) throw error;
      const [only] = batch;
      if (batch.length === 1 && only !== undefined) onFailed({ line: only.line, problem: error.message });
      else for (const one of batch) await this.#replace([one], namespace);
    }
  }
}

/** A tuple, so that no id and scope run into another's. */
function recordKey(id: string, namespace: string | undefined): string {
  return namespace === undefined ? id : JSON.stringify([namespace, id]);
}

/** The codes with which a collection refuses data; every other one is the outside world's. */
const refusals = new Set(["INVALID_INPUT", "RETRIEVAL_INVALID_INPUT", "CONFLICT"]);

function isRefusal(error: unknown): error is Error {
  return isCodedError(error) && refusals.has(error.code);
}
