import { createWriteStream, type WriteStream } from "node:fs";
import type { JsonValue } from "../contracts/json.ts";

/** One search, as it is kept for later evaluation. */
export interface SearchEvent {
  readonly requestId: string;
  readonly pipeline: string;
  readonly generation: number;
  readonly hash: string;
  /** The graph that searched; undefined for a search of its own. */
  readonly graph?: string | undefined;
  /** The target, and the strategy where it is known. */
  readonly target: string;
  readonly strategy?: string | undefined;
  readonly namespace?: string | undefined;
  /** The query's content; for a graph the graph's input. */
  readonly query: unknown;
  readonly filter?: unknown;
  readonly limit?: number | undefined;
  readonly ids: readonly JsonValue[];
  readonly scores: readonly JsonValue[];
  readonly degraded?: readonly unknown[] | undefined;
  readonly ms: number;
}

/** A file of searches, one JSON object a line. */
export class SearchLog {
  readonly #path: string;
  readonly #onError: (error: NodeJS.ErrnoException) => void;
  #stream: WriteStream;

  /**
   * @param path Absolute; lines are added at its end.
   * @param onError Told when the file cannot be written; searches are answered all the same.
   */
  constructor(path: string, onError: (error: NodeJS.ErrnoException) => void) {
    this.#path = path;
    this.#onError = onError;
    this.#stream = this.#open();
  }

  write(event: SearchEvent): void {
    this.#stream.write(`${JSON.stringify({ at: new Date().toISOString(), ...event })}\n`);
  }

  /** Begins the file anew, where it was moved away meanwhile. */
  reopen(): void {
    this.#stream.end();
    this.#stream = this.#open();
  }

  /** Writes what is left and closes the file. */
  async close(): Promise<void> {
    if (this.#stream.destroyed) return;
    await new Promise<void>((resolve) => {
      this.#stream.once("close", resolve);
      this.#stream.end();
    });
  }

  #open(): WriteStream {
    const stream = createWriteStream(this.#path, { flags: "a", mode: 0o600 });
    stream.on("error", this.#onError);
    return stream;
  }
}
