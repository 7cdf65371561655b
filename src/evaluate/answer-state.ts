import { appendFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { isRecord } from "../base/is-record.ts";
import type { RankedDocument } from "./run-file.ts";

/** One line of the file. */
interface KeptAnswer {
  readonly key: string;
  readonly query: string;
  readonly documents: readonly (readonly [string, number | null])[];
}

/**
 * Answers kept in a file, line by line, so that an evaluation that was interrupted goes on where it ended.
 *
 * A key names everything that an answer depends on besides the query; answers of other keys are left alone and not used.
 */
export class AnswerState {
  readonly path: string;
  readonly #answers = new Map<string, Map<string, readonly RankedDocument[]>>();
  #pending = "";

  /** @param path Absolute; the file need not exist. A line that is broken, as a killed process leaves one, is left out. */
  constructor(path: string) {
    this.path = path;
    for (const { key, query, documents } of readLines(path)) this.#of(key).set(query, documents.map(toDocument));
  }

  /** What is known, by query. */
  answers(key: string): ReadonlyMap<string, readonly RankedDocument[]> {
    return this.#of(key);
  }

  /** Keeps an answer; it is on the disk after the next {@link flush} at the latest. */
  keep(key: string, query: string, documents: readonly RankedDocument[]): void {
    const line: KeptAnswer = { key, query, documents: documents.map(({ id, score }) => [id, score ?? null]) };
    this.#pending += `${JSON.stringify(line)}\n`;
    if (this.#pending.length > 16_384) this.flush();
  }

  flush(): void {
    if (this.#pending === "") return;
    mkdirSync(dirname(this.path), { recursive: true });
    // A broken last line must not swallow the next one.
    appendFileSync(this.path, `\n${this.#pending}`);
    this.#pending = "";
  }

  /** Takes the file away. */
  remove(): void {
    this.#pending = "";
    rmSync(this.path, { force: true });
  }

  #of(key: string): Map<string, readonly RankedDocument[]> {
    const known = this.#answers.get(key) ?? new Map<string, readonly RankedDocument[]>();
    this.#answers.set(key, known);
    return known;
  }
}

function toDocument([id, score]: readonly [string, number | null]): RankedDocument {
  return score === null ? { id } : { id, score };
}

function readLines(path: string): readonly KeptAnswer[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return [];
  }
  return text.split("\n").flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return isKept(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}

function isKept(value: unknown): value is KeptAnswer {
  return isRecord(value) && typeof value["key"] === "string" && typeof value["query"] === "string" && Array.isArray(value["documents"]);
}
