import { Worker } from "node:worker_threads";
import { RetrievalError } from "@codesoul-co/ditto/plugin";
import { type EncodeJob, EncodeQueue, type EncodeTask } from "./encode-queue.ts";
import type { EncodedSentence, EncodingPurpose } from "./encoder/sentence-encoder.ts";
import type { EncodeRequest, ThreadData, ThreadMessage } from "./thread-messages.ts";

/** What a pool is made of. */
export interface EncoderPoolOptions extends ThreadData {
  /** Most threads, 1 or more. */
  readonly threads: number;
  /** Absolute path of the built `encoder-thread.js`. */
  readonly threadFile: string;
}

interface EncoderThread {
  readonly worker: Worker;
  task: EncodeTask | undefined;
  loaded: boolean;
}

/**
 * Encodes texts in worker threads, each with the model in its own memory.
 *
 * A thread starts when a text finds no idle one and there may be more, and stays. Texts are handed out one by one, so
 * that all threads stay busy when lengths differ. Idle threads do not keep the process alive.
 */
export class EncoderPool {
  readonly #options: EncoderPoolOptions;
  readonly #queue = new EncodeQueue();
  readonly #threads = new Set<EncoderThread>();
  #threadLimit: number;
  #closing: Promise<void> | undefined;
  #onIdle: (() => void) | undefined;

  /** @param options Where thread and model are, and how many threads there may be. Starts nothing. */
  constructor(options: EncoderPoolOptions) {
    this.#options = options;
    this.#threadLimit = options.threads;
  }

  /**
   * Encodes texts.
   *
   * @param texts The texts; for none of them nothing is started.
   * @param options `purpose` of all of them. `signal` takes back the texts that no thread has begun, at once; the
   *   answer of one that is running is dropped.
   * @returns One answer a text, in their order.
   * @throws RetrievalError `RETRIEVAL_PROVIDER_UNAVAILABLE` when the pool is closed or a thread cannot load the model,
   *   `RETRIEVAL_BACKEND_ERROR` when a thread ended over one of the texts. The signal's reason when it aborts.
   */
  async encode(
    texts: readonly string[],
    options: { readonly purpose: EncodingPurpose; readonly signal?: AbortSignal | undefined },
  ): Promise<readonly EncodedSentence[]> {
    const { purpose, signal } = options;
    if (this.#closing !== undefined) throw new RetrievalError("RETRIEVAL_PROVIDER_UNAVAILABLE", "The embedded encoder is closed");
    signal?.throwIfAborted();
    if (texts.length === 0) return [];
    let onAbort: (() => void) | undefined;
    try {
      return await new Promise((resolve, reject) => {
        const job: EncodeJob = { texts, purpose, encoded: texts.map(() => undefined), next: 0, missing: texts.length, settled: false, resolve, reject };
        onAbort = () => this.#fail(job, signal?.reason);
        signal?.addEventListener("abort", onAbort, { once: true });
        this.#queue.add(job);
        this.#handOut();
      });
    } finally {
      if (onAbort !== undefined) signal?.removeEventListener("abort", onAbort);
    }
  }

  /**
   * Raises the number of threads; it never falls, since a thread's model is loaded once.
   *
   * @param threads Most threads from now on.
   */
  growTo(threads: number): void {
    this.#threadLimit = Math.max(this.#threadLimit, threads);
    this.#handOut();
  }

  /**
   * Ends the threads after the calls that were accepted; calls from now on are rejected.
   *
   * @returns Resolves when no thread is left; the same promise for each call.
   */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  #handOut(): void {
    while (!this.#queue.isEmpty) {
      const thread = this.#idleThread() ?? this.#startThread();
      if (thread === undefined) return;
      const task = this.#queue.take() as EncodeTask;
      const request: EncodeRequest = { text: task.job.texts[task.index] as string, purpose: task.job.purpose };
      thread.task = task;
      thread.worker.ref();
      thread.worker.postMessage(request);
    }
  }

  #idleThread(): EncoderThread | undefined {
    for (const thread of this.#threads) if (thread.task === undefined) return thread;
    return undefined;
  }

  #startThread(): EncoderThread | undefined {
    if (this.#threads.size >= this.#threadLimit) return undefined;
    const { threadFile, modelFolder, maxTokens } = this.#options;
    const workerData: ThreadData = { modelFolder, maxTokens };
    // The program's own flags (a loader, a condition) are not for this file, which imports nothing but Node.
    const worker = new Worker(threadFile, { workerData, execArgv: [] });
    const thread: EncoderThread = { worker, task: undefined, loaded: false };
    worker.on("message", (message: ThreadMessage) => this.#receive(thread, message));
    worker.on("error", (cause) => this.#lose(thread, cause));
    worker.on("exit", (code) => this.#lose(thread, new Error(`The thread ended with the code ${code}`)));
    this.#threads.add(thread);
    return thread;
  }

  #receive(thread: EncoderThread, message: ThreadMessage): void {
    if (message.kind === "loaded") {
      thread.loaded = true;
      return;
    }
    const task = thread.task;
    thread.task = undefined;
    thread.worker.unref();
    if (task !== undefined) keepAnswer(task, message);
    this.#goOn();
  }

  /** A thread that is gone is not replaced here, but by the next text that finds none. */
  #lose(thread: EncoderThread, cause: unknown): void {
    if (!this.#threads.delete(thread)) return; // told before, or ended by us
    if (thread.task !== undefined) this.#fail(thread.task.job, lossError(thread, cause));
    this.#goOn();
  }

  #fail(job: EncodeJob, reason: unknown): void {
    this.#queue.remove(job);
    job.settled = true;
    job.reject(reason);
  }

  #goOn(): void {
    this.#handOut();
    if (this.#isIdle()) this.#onIdle?.();
  }

  #isIdle(): boolean {
    return this.#queue.isEmpty && [...this.#threads].every((thread) => thread.task === undefined);
  }

  async #end(): Promise<void> {
    if (!this.#isIdle()) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
    const threads = [...this.#threads];
    this.#threads.clear();
    await Promise.all(threads.map((thread) => thread.worker.terminate()));
  }
}

function keepAnswer({ job, index }: EncodeTask, { vector, tokens, cut }: EncodedSentence): void {
  if (job.settled) return;
  job.encoded[index] = { vector, tokens, cut };
  job.missing -= 1;
  if (job.missing > 0) return;
  job.settled = true;
  job.resolve(job.encoded as EncodedSentence[]);
}

function lossError(thread: EncoderThread, cause: unknown): RetrievalError {
  if (thread.loaded)
    return new RetrievalError("RETRIEVAL_BACKEND_ERROR", "The embedded encoder's thread ended over a text; the next call starts another", { cause });
  return new RetrievalError("RETRIEVAL_PROVIDER_UNAVAILABLE", "The embedded encoder could not be loaded: files of the package are missing or damaged", {
    cause,
  });
}
