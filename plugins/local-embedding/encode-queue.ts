import type { EncodedSentence, EncodingPurpose } from "./encoder/sentence-encoder.ts";

/** One call for vectors: its texts, and what is known of them so far. */
export interface EncodeJob {
  readonly texts: readonly string[];
  readonly purpose: EncodingPurpose;
  /** One place a text, filled as threads answer. */
  readonly encoded: (EncodedSentence | undefined)[];
  /** Texts that no thread has taken yet start here. */
  next: number;
  /** Texts without an answer. */
  missing: number;
  /** Whether its caller has its answer or error, so that later answers of threads are dropped. */
  settled: boolean;
  readonly resolve: (encoded: readonly EncodedSentence[]) => void;
  readonly reject: (reason: unknown) => void;
}

/** One text of a job, for one thread. */
export interface EncodeTask {
  readonly job: EncodeJob;
  readonly index: number;
}

/**
 * Which text comes next: queries before documents, and the jobs of each kind in turn, one text each, so that no caller
 * waits for the whole batch of another.
 */
export class EncodeQueue {
  #queries: EncodeJob[] = [];
  #documents: EncodeJob[] = [];

  /** Whether no text waits for a thread. */
  get isEmpty(): boolean {
    return this.#queries.length === 0 && this.#documents.length === 0;
  }

  /** @param job A job with at least one text. */
  add(job: EncodeJob): void {
    (job.purpose === "query" ? this.#queries : this.#documents).push(job);
  }

  /** Takes the next text; undefined when there is none. */
  take(): EncodeTask | undefined {
    const jobs = this.#queries.length > 0 ? this.#queries : this.#documents;
    const job = jobs.shift();
    if (job === undefined) return undefined;
    const index = job.next;
    job.next += 1;
    if (job.next < job.texts.length) jobs.push(job);
    return { job, index };
  }

  /** Forgets the texts of a job that no thread has taken. */
  remove(job: EncodeJob): void {
    this.#queries = this.#queries.filter((other) => other !== job);
    this.#documents = this.#documents.filter((other) => other !== job);
  }
}
