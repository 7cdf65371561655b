import type { CliOutput } from "../cli-context.ts";
import { cutToWidth } from "./cut-to-width.ts";

/** How far something is. */
export interface ProgressState {
  readonly label: string;
  readonly done: number;
  /** Unknown for a source without an end. */
  readonly total: number | undefined;
  /** What is counted, in the plural. */
  readonly unit: string;
  /** How much of the work is done, 0 to 1, where that is known better than by `done` of `total`. */
  readonly share?: number | undefined;
}

/** Least milliseconds between two drawings. */
const drawEveryMs = 100;
const barWidth = 20;

/** One line on a terminal that is drawn over and over; elsewhere nothing. */
export class ProgressLine {
  readonly #output: CliOutput;
  readonly #startedAt = performance.now();
  #drawnAt = 0;
  #isShown = false;

  constructor(output: CliOutput) {
    this.#output = output;
  }

  show(state: ProgressState): void {
    const now = performance.now();
    if (!this.#output.isTerminal || now - this.#drawnAt < drawEveryMs) return;
    this.#drawnAt = now;
    this.#isShown = true;
    this.#output.write(`\r\u001b[K${cutToWidth(progressText(state, now - this.#startedAt), this.#output.columns - 1)}`);
  }

  /** Takes the line away, so that something else can be written. */
  clear(): void {
    if (this.#isShown) this.#output.write("\r\u001b[K");
    this.#isShown = false;
    this.#drawnAt = 0;
  }
}

/**
 * Writes progress as one line: `articles [████████            ]  42 %  74 of 177 records · 14/s · 7 s left`.
 *
 * @param state How far it is.
 * @param elapsedMs Milliseconds since the beginning.
 */
export function progressText(state: ProgressState, elapsedMs: number): string {
  const { label, done, total, unit } = state;
  const share = state.share ?? (total === undefined || total === 0 ? undefined : Math.min(1, done / total));
  const count = total === undefined ? `${done} ${unit}` : `${done} of ${total} ${unit}`;
  const rate = elapsedMs < 500 || done === 0 ? [] : [`${shortRate((done * 1000) / elapsedMs)}/s`];
  const left = share === undefined || share === 0 || share >= 1 || elapsedMs < 1000 ? [] : [`${shortTime((elapsedMs * (1 - share)) / share)} left`];
  const bar = share === undefined ? "" : ` [${"█".repeat(Math.floor(share * barWidth)).padEnd(barWidth)}] ${String(Math.floor(share * 100)).padStart(3)} %`;
  return `${label}${bar}  ${[count, ...rate, ...left].join(" · ")}`;
}

function shortRate(rate: number): string {
  return rate >= 10 ? String(Math.round(rate)) : rate.toFixed(1);
}

/** A length of time as a person says it: `8 s`, `3 min 20 s`, `2 h 5 min`. */
export function shortTime(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
