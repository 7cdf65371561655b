/** What one run over a source did. */
export interface IngestReport {
  /** `complete`: the source was read to its end; `stopped`: at a bad record; `cancelled`: by the signal. What was written stays. */
  readonly outcome: "complete" | "stopped" | "cancelled";
  /** Records read, bad ones included. */
  readonly read: number;
  /** Records written, new or changed; summed over the collections, like the four numbers below it. */
  readonly written: number;
  /** Records that the collection had already. */
  readonly unchanged: number;
  /** Records removed because the source no longer has them; only with `prune`. */
  readonly removed: number;
  /** Rows written: the records themselves, or their chunks. */
  readonly chunks: number;
  /** Texts longer than the encoder takes, of which it saw the beginning. */
  readonly cut: number;
  /** Bad records that were left out; as many as `failed` has. */
  readonly skipped: number;
  readonly failed: readonly FailedRecord[];
  /** Why pruning was left out although it was asked for. */
  readonly pruneProblem?: string | undefined;
}

/** A record that was not written. */
export interface FailedRecord {
  /** Its first line in the source, from 1. */
  readonly line: number;
  readonly problem: string;
}

/** Where a run is. */
export interface IngestProgress {
  readonly read: number;
  readonly written: number;
  readonly unchanged: number;
  readonly failed: number;
  /** Bytes of the source whose records are done, about. */
  readonly bytes: number;
  /** Size of the source; unknown for a pipe. */
  readonly totalBytes: number | undefined;
}
