import { type Kernel, startKernel } from "./kernel.ts";

/** What is known of a vector's cosine from its codes: it lies at most `errors[i]` from `results[i]`. */
export interface CodeBlock {
  readonly results: Float32Array;
  readonly errors: Float32Array;
  readonly count: number;
}

/**
 * Vectors as 8-bit codes, one after the other, in the kernel's memory: a quarter of their size.
 *
 * They stand in blocks, so that growing moves nothing.
 */
export class CodeTable {
  readonly dimensions: number;
  #count = 0;
  readonly #kernel: Kernel = startKernel();
  readonly #stride: number;
  readonly #query: number;
  readonly #staging: number;
  readonly #blocks: number;
  readonly #blockBytes: number;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.#stride = Math.ceil(dimensions / 16) * 16;
    this.#query = Math.ceil(this.#kernel.start / 16) * 16;
    this.#staging = this.#query + this.#stride * 2;
    this.#blocks = this.#staging + this.#stride * 4;
    this.#blockBytes = blockSize * (this.#stride + 12);
  }

  /** Bytes that a vector takes. */
  get bytesPerVector(): number {
    return this.#stride + 12;
  }

  /** Puts a vector, as it is kept, at a position; the position behind the last one adds it. */
  set(position: number, vector: Uint8Array): void {
    if (position === this.#count) this.#reserve(++this.#count);
    new Uint8Array(this.#kernel.memory.buffer, this.#staging, vector.length).set(vector);
    const place = this.#place(position);
    this.#kernel.encode(this.#staging, this.#stride, place.codes, place.scale, place.error);
  }

  /** Takes a vector out; the last one takes its position. */
  remove(position: number): void {
    this.#count -= 1;
    if (position === this.#count) return;
    const to = this.#place(position);
    const from = this.#place(this.#count);
    const bytes = new Uint8Array(this.#kernel.memory.buffer);
    bytes.copyWithin(to.codes, from.codes, from.codes + this.#stride);
    bytes.copyWithin(to.scale, from.scale, from.scale + 4);
    bytes.copyWithin(to.error, from.error, from.error + 4);
  }

  /**
   * Multiplies all vectors with a query of length 1.
   *
   * @returns A view of each block, valid until the next call, and what the query's own rounding can add to each error.
   */
  scan(query: Float64Array): { readonly blocks: readonly CodeBlock[]; readonly queryError: number } {
    const { unit, error } = this.#writeQuery(query);
    const { buffer } = this.#kernel.memory;
    const blocks: CodeBlock[] = [];
    for (let first = 0; first < this.#count; first += blockSize) {
      const count = Math.min(blockSize, this.#count - first);
      const place = this.#place(first);
      const output = place.error + blockSize * 4;
      this.#kernel.scan(place.codes, this.#query, place.scale, output, count, this.#stride, unit);
      blocks.push({ results: new Float32Array(buffer, output, count), errors: new Float32Array(buffer, place.error, count), count });
    }
    return { blocks, queryError: error };
  }

  /** Rounds the query to 16 bits, or to fewer where the sum of a lane could overflow 32. */
  #writeQuery(query: Float64Array): { readonly unit: number; readonly error: number } {
    const steps = Math.min(32_767, Math.floor((2 ** 31 - 1) / (127 * (this.#stride / 4))));
    const unit = query.reduce((largest, each) => Math.max(largest, Math.abs(each)), 0) / steps;
    const codes = new Int16Array(this.#kernel.memory.buffer, this.#query, this.#stride).fill(0);
    let lost = 0;
    for (const [index, each] of query.entries()) {
      const code = Math.round(each / unit);
      codes[index] = code;
      lost += (each - code * unit) ** 2;
    }
    return { unit, error: Math.sqrt(lost) };
  }

  #place(position: number): { readonly codes: number; readonly scale: number; readonly error: number } {
    const index = position % blockSize;
    const block = this.#blocks + Math.floor(position / blockSize) * this.#blockBytes;
    const scales = block + blockSize * this.#stride;
    return { codes: block + index * this.#stride, scale: scales + index * 4, error: scales + blockSize * 4 + index * 4 };
  }

  #reserve(count: number): void {
    const needed = this.#blocks + Math.ceil(count / blockSize) * this.#blockBytes;
    const missing = needed - this.#kernel.memory.buffer.byteLength;
    if (missing > 0) this.#kernel.memory.grow(Math.ceil(missing / 65_536));
  }
}

const blockSize = 4096;
