import { Worker } from "node:worker_threads";
import { CollectionFault } from "../sql/collection-fault.ts";
import type { ReadAnswer, ReadTask, ThreadData } from "./thread-messages.ts";

/** What a pool is made of. */
export interface ReadPoolOptions extends ThreadData {
  /** Most threads, 1 or more. */
  readonly threads: number;
  /** Absolute path of the built `read-thread.js`. */
  readonly threadFile: string;
  /** Runs a task where no thread can be started, such as while the package's files are being replaced. */
  readonly here: (task: ReadTask) => Promise<unknown>;
}

interface Job {
  readonly task: ReadTask;
  settled: boolean;
  readonly resolve: (rows: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface ReadThread {
  readonly worker: Worker;
  job: Job | undefined;
  /** Whether it ever answered. */
  started: boolean;
}

/**
 * Reads one SQLite file in worker threads, each with a connection of its own.
 *
 * A thread starts when a task finds no idle one and there may be more, and stays. Searches by vectors all go to the first, since each
 * thread would keep an index of its own. Idle threads do not keep the process alive.
 */
export class ReadPool {
  readonly #options: ReadPoolOptions;
  /** By number; one that was lost, or has not started, is undefined. */
  readonly #threads: (ReadThread | undefined)[];
  readonly #waiting: Job[] = [];
  #closing: Promise<void> | undefined;
  #onIdle: (() => void) | undefined;

  /** @param options Which file, and how many threads there may be. Starts nothing. */
  constructor(options: ReadPoolOptions) {
    this.#options = options;
    this.#threads = Array.from({ length: options.threads });
  }

  /**
   * Runs a task.
   *
   * @param signal Takes back a task that no thread has begun, at once; the answer of one that runs is dropped.
   * @throws CollectionFault as reading does, `database` where a thread is lost. The signal's reason when it aborts.
   */
  async run(task: ReadTask, signal?: AbortSignal | undefined): Promise<unknown> {
    if (this.#closing !== undefined) throw this.#fault("is closed");
    signal?.throwIfAborted();
    let onAbort: (() => void) | undefined;
    try {
      return await new Promise((resolve, reject) => {
        const job: Job = { task, settled: false, resolve, reject };
        onAbort = () => this.#takeBack(job, signal?.reason);
        signal?.addEventListener("abort", onAbort, { once: true });
        this.#waiting.push(job);
        this.#handOut();
      });
    } finally {
      if (onAbort !== undefined) signal?.removeEventListener("abort", onAbort);
    }
  }

  /** Ends the threads after the tasks that were accepted; repeated calls share the promise. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  #handOut(): void {
    for (let index = 0; index < this.#waiting.length; ) {
      const job = this.#waiting[index] as Job;
      const thread = this.#threadFor(job.task);
      if (thread === undefined) {
        index += 1;
        continue;
      }
      this.#waiting.splice(index, 1);
      thread.job = job;
      thread.worker.ref();
      thread.worker.postMessage(job.task);
    }
  }

  /** An idle thread that may take the task: one that runs already rather than a new one, and the first one last. */
  #threadFor({ kind }: ReadTask): ReadThread | undefined {
    const numbers = kind === "nearest" ? [0] : [...this.#threads.keys()].reverse();
    const idle = numbers.find((number) => this.#threads[number] !== undefined && this.#threads[number]?.job === undefined);
    if (idle !== undefined) return this.#threads[idle];
    const free = numbers.find((number) => this.#threads[number] === undefined);
    return free === undefined ? undefined : this.#start(free);
  }

  #start(number: number): ReadThread {
    const { threadFile, file, shown } = this.#options;
    const workerData: ThreadData = { file, shown };
    // The program's own flags (a loader, a condition) are not for this file.
    const worker = new Worker(threadFile, { workerData, execArgv: [] });
    const thread: ReadThread = { worker, job: undefined, started: false };
    worker.on("message", (answer: ReadAnswer) => this.#receive(thread, answer));
    worker.on("error", (cause) => this.#lose(thread, cause));
    worker.on("exit", (code) => this.#lose(thread, new Error(`The thread ended with the code ${code}`)));
    this.#threads[number] = thread;
    return thread;
  }

  #receive(thread: ReadThread, answer: ReadAnswer): void {
    const { job } = thread;
    thread.job = undefined;
    thread.started = true;
    thread.worker.unref();
    if (job !== undefined && !job.settled) settle(job, answer);
    this.#goOn();
  }

  /** A thread that is gone is not replaced here, but by the next task that finds none. */
  #lose(thread: ReadThread, cause: unknown): void {
    const number = this.#threads.indexOf(thread);
    if (number === -1) return; // told before, or ended by us
    this.#threads[number] = undefined;
    const { job } = thread;
    if (job?.settled === false) {
      job.settled = true;
      if (thread.started) job.reject(this.#fault("cannot be read: a thread ended", cause));
      else this.#options.here(job.task).then(job.resolve, job.reject);
    }
    this.#goOn();
  }

  #takeBack(job: Job, reason: unknown): void {
    const index = this.#waiting.indexOf(job);
    if (index !== -1) this.#waiting.splice(index, 1);
    job.settled = true;
    job.reject(reason);
    this.#goOn();
  }

  #goOn(): void {
    this.#handOut();
    if (this.#isIdle()) this.#onIdle?.();
  }

  #isIdle(): boolean {
    return this.#waiting.length === 0 && this.#threads.every((thread) => thread?.job === undefined);
  }

  async #end(): Promise<void> {
    if (!this.#isIdle()) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
    const threads = this.#threads.splice(0);
    await Promise.all(threads.map((thread) => thread?.worker.terminate()));
  }

  #fault(what: string, cause?: unknown): CollectionFault {
    return new CollectionFault("database", `The SQLite file "${this.#options.shown}" ${what}`, { cause });
  }
}

function settle(job: Job, answer: ReadAnswer): void {
  job.settled = true;
  if ("rows" in answer) job.resolve(answer.rows);
  else if ("fault" in answer) job.reject(new CollectionFault(answer.fault.kind, answer.fault.message));
  else job.reject(answer.failure);
}
