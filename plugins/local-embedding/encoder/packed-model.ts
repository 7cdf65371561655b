import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import type { ModelHeader, TensorHeader } from "./model-header.ts";

/** The forward pass of a loaded model. */
export interface PackedModel {
  /** Most tokens of one text. */
  readonly maxTokens: number;
  /**
   * Turns tokens into a vector; takes 0.6 ms a token and blocks the thread.
   *
   * @param tokens 1 to `maxTokens` token ids, the marks of beginning and end among them.
   * @returns A vector of length one, in a buffer of its own.
   * @throws RangeError When there are too few or too many tokens, or an id that the vocabulary lacks.
   */
  encode(tokens: readonly number[]): Float32Array<ArrayBuffer>;
}

/** The types of Node leave WebAssembly to those of browsers. This is what is used of it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** What `kernel.wasm` exports; addresses are bytes in its memory. See `kernel/kernel.c`. */
interface Kernel {
  readonly memory: Memory;
  readonly __heap_base: { readonly value: number };
  token_ids(): number;
  sentence_vector(): number;
  hidden_size(): number;
  inner_size(): number;
  heads(): number;
  layers(): number;
  max_tokens(): number;
  set_embedding(words: number, wordCount: number, positions: number, normGain: number, normBias: number): void;
  set_linear(layer: number, matrix: number, weights: number, bias: number): void;
  set_norms(layer: number, attentionGain: number, attentionBias: number, innerGain: number, innerBias: number): void;
  encode(tokenCount: number): void;
}

const pageBytes = 65_536;
/** The kernel's vector loads are fastest, and the file's tensors are laid out, at multiples of this. */
const alignment = 64;

/**
 * Loads the weights of a model folder into the kernel's memory; takes some 40 ms.
 *
 * @param folder Absolute path of the folder with `weights.bin` and `kernel.wasm`.
 * @param header The folder's header.
 * @returns The model.
 * @throws Error When a file is missing, or weights, header and kernel do not fit each other.
 */
export function loadPackedModel(folder: string, header: ModelHeader): PackedModel {
  const module = new WebAssembly.Module(readFileSync(join(folder, "kernel.wasm")));
  const kernel = new WebAssembly.Instance(module).exports as Kernel;
  checkShape(kernel, header);
  const base = Math.ceil(kernel.__heap_base.value / alignment) * alignment;
  readWeights(join(folder, "weights.bin"), header.bytes, kernel.memory, base);
  placeTensors(kernel, header, base);
  // The memory never grows again, so that these views stay valid.
  const tokenIds = new Int32Array(kernel.memory.buffer, kernel.token_ids(), kernel.max_tokens());
  const vector = new Float32Array(kernel.memory.buffer, kernel.sentence_vector(), header.dims);
  return {
    maxTokens: header.positions,
    encode(tokens) {
      if (tokens.length < 1 || tokens.length > header.positions) throw new RangeError(`A text has 1 to ${header.positions} tokens, not ${tokens.length}`);
      if (!tokens.every((id) => id >= 0 && id < header.tokenizer.pieces)) throw new RangeError("A token id is not in the vocabulary");
      tokenIds.set(tokens);
      kernel.encode(tokens.length);
      return new Float32Array(vector);
    },
  };
}

/** The kernel's sizes are constants, which is what makes it fast; they must be the model's. */
function checkShape(kernel: Kernel, header: ModelHeader): void {
  const sizes = {
    dims: kernel.hidden_size(),
    intermediate: kernel.inner_size(),
    heads: kernel.heads(),
    layers: kernel.layers(),
    positions: kernel.max_tokens(),
  } as const;
  for (const [name, size] of Object.entries(sizes)) {
    const found = header[name as keyof typeof sizes];
    if (found !== size) throw new Error(`The kernel is built for ${name} = ${size}, the header says ${found}`);
  }
}

/** Reads the file straight into the kernel's memory, without a second copy of it. */
function readWeights(path: string, bytes: number, memory: Memory, base: number): void {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    if (size !== bytes) throw new Error(`weights.bin has ${size} bytes, the header says ${bytes}`);
    memory.grow(Math.ceil(Math.max(0, base + bytes - memory.buffer.byteLength) / pageBytes));
    const target = new Uint8Array(memory.buffer, base, bytes);
    for (let offset = 0; offset < bytes; ) {
      const count = readSync(file, target, offset, bytes - offset, offset);
      if (count === 0) throw new Error("weights.bin ended while it was read");
      offset += count;
    }
  } finally {
    closeSync(file);
  }
}

function placeTensors(kernel: Kernel, header: ModelHeader, base: number): void {
  const tensors = new Map(header.tensors.map((tensor) => [tensor.name, tensor]));
  const address = (name: string, type: TensorHeader["type"], rows: number, cols: number): number => {
    const tensor = tensors.get(name);
    if (tensor?.type !== type || tensor.rows !== rows || tensor.cols !== cols)
      throw new Error(`header.json lacks the tensor ${name} (${type}, ${rows} x ${cols})`);
    return base + tensor.offset;
  };
  const hidden = header.dims;
  const row = (name: string, cols: number = hidden): number => address(name, "f32", 1, cols);
  const words = header.tokenizer.pieces;
  kernel.set_embedding(address("emb.w", "q4", words, hidden), words, address("emb.pos", "f32", header.positions, hidden), row("emb.g"), row("emb.b"));
  const matrices = [
    { rows: 3 * hidden, cols: hidden },
    { rows: hidden, cols: hidden },
    { rows: header.intermediate, cols: hidden },
    { rows: hidden, cols: header.intermediate },
  ];
  for (let layer = 0; layer < header.layers; layer++) {
    for (const [index, { rows, cols }] of matrices.entries()) {
      kernel.set_linear(layer, index, address(`l${layer}.${index}.w`, "q4", rows, cols), row(`l${layer}.${index}.b`, rows));
    }
    kernel.set_norms(layer, row(`l${layer}.g1`), row(`l${layer}.n1`), row(`l${layer}.g2`), row(`l${layer}.n2`));
  }
}
