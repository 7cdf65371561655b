import { BestScores } from "./best-scores.ts";
import { CodeTable } from "./code-table.ts";

/** A change of a kept vector: its bytes, or null where it is gone. */
export interface VectorChange {
  readonly row: number;
  readonly vector: Uint8Array | null;
}

/**
 * A collection's vectors in memory, as codes of one byte a dimension.
 *
 * It answers which rows can be among the nearest: all that are, and few more. The caller compares those exactly.
 */
export class VectorIndex {
  /** The collection's change counter up to which it is complete; -1 for an empty one. */
  change = -1;
  readonly #codes: CodeTable;
  readonly #rows: number[] = [];
  readonly #positions = new Map<number, number>();

  constructor(dimensions: number) {
    this.#codes = new CodeTable(dimensions);
  }

  get dimensions(): number {
    return this.#codes.dimensions;
  }

  /** What one vector takes; beside it stand row numbers, about 50 bytes each. */
  get bytesPerVector(): number {
    return this.#codes.bytesPerVector;
  }

  apply({ row, vector }: VectorChange): void {
    const known = this.#positions.get(row);
    if (vector === null) {
      if (known !== undefined) this.#remove(row, known);
      return;
    }
    const position = known ?? this.#rows.length;
    this.#codes.set(position, vector);
    this.#rows[position] = row;
    this.#positions.set(row, position);
  }

  /**
   * The rows that can be among the nearest, all with the same cosine as the last of them included.
   *
   * @param query A vector of length 1.
   * @param limit How many are asked for, at least 1.
   * @param allowed Only these rows; undefined for all.
   */
  candidates(query: Float64Array, limit: number, allowed?: readonly number[] | undefined): readonly number[] {
    const { blocks, queryError } = this.#codes.scan(query);
    const mask = allowed === undefined ? undefined : this.#mask(allowed);
    const lowest = new BestScores(limit);
    let position = 0;
    for (const { results, errors, count } of blocks) {
      for (let index = 0; index < count; index += 1, position += 1) {
        if (mask !== undefined && mask[position] === 0) continue;
        lowest.add((results[index] ?? 0) - bound(errors[index] ?? 0, queryError));
      }
    }
    const { threshold } = lowest;
    const rows: number[] = [];
    position = 0;
    for (const { results, errors, count } of blocks) {
      for (let index = 0; index < count; index += 1, position += 1) {
        if (mask !== undefined && mask[position] === 0) continue;
        if ((results[index] ?? 0) + bound(errors[index] ?? 0, queryError) >= threshold) rows.push(this.#rows[position] ?? 0);
      }
    }
    return rows;
  }

  #mask(allowed: readonly number[]): Uint8Array {
    const mask = new Uint8Array(this.#rows.length);
    for (const row of allowed) {
      const position = this.#positions.get(row);
      if (position !== undefined) mask[position] = 1;
    }
    return mask;
  }

  #remove(row: number, position: number): void {
    this.#codes.remove(position);
    this.#positions.delete(row);
    const last = this.#rows.pop();
    if (last === undefined || last === row) return;
    this.#rows[position] = last;
    this.#positions.set(last, position);
  }
}

/** What single precision itself can be off, many times over. */
const roundingError = 1e-5;

/** How far a cosine can lie from what the codes say: x.q - a = e.q + (x - e).(q - q'), and x and q have length 1. */
function bound(vectorError: number, queryError: number): number {
  return vectorError + (1 + vectorError) * queryError + roundingError;
}
