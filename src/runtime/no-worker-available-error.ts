import { RuntimeError } from "./runtime-error.ts";

/** No worker can take the call now: none has the capability, is available and has a free slot. Nothing was queued. */
export class NoWorkerAvailableError extends RuntimeError {
  /** The node that was asked for. */
  readonly node: string;

  /** @param node The node that was asked for. */
  constructor(node: string) {
    super("NO_WORKER_AVAILABLE", `No worker is available for ${node}`);
    this.name = "NoWorkerAvailableError";
    this.node = node;
  }
}
