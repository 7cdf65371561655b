import { readFileSync } from "node:fs";
import { join } from "node:path";

/** `header.json`: what the weights and the vocabulary beside it are. */
export interface ModelHeader {
  readonly format: string;
  readonly name: string;
  /** `major.minor.patch`; vectors of different majors do not compare. */
  readonly version: string;
  /** Components of a vector. */
  readonly dims: number;
  readonly layers: number;
  readonly heads: number;
  readonly intermediate: number;
  /** Tokens at which a text is cut unless asked otherwise. */
  readonly maxTokens: number;
  /** Tokens that the model has positions for. */
  readonly positions: number;
  /** What the model was trained to see before each text. */
  readonly prefix: { readonly query: string; readonly passage: string };
  readonly tokenizer: TokenizerHeader;
  /** Size of `weights.bin`. */
  readonly bytes: number;
  readonly tensors: readonly TensorHeader[];
}

/** Constants of the tokenizer. */
export interface TokenizerHeader {
  /** Lines of `vocab.tsv`. */
  readonly pieces: number;
  /** Token ids that begin and end a text, fill up, and stand for what the vocabulary lacks. */
  readonly bos: number;
  readonly eos: number;
  readonly pad: number;
  readonly unk: number;
  /** Score of a character that the vocabulary lacks. */
  readonly unkScore: number;
  /** Code points (hexadecimal) whose replacement is not their NFKC form. */
  readonly exceptions: Readonly<Record<string, string>>;
}

/** Place of one tensor in `weights.bin`. */
export interface TensorHeader {
  readonly name: string;
  readonly type: "q4" | "f32";
  readonly rows: number;
  readonly cols: number;
  /** In bytes. */
  readonly offset: number;
}

/** The only layout of `weights.bin` that the kernel reads. */
const knownFormat = "bert-packed/2";

/**
 * Reads the header of a model folder.
 *
 * @param folder Absolute path of the folder with `header.json`, `vocab.tsv`, `weights.bin` and `kernel.wasm`.
 * @returns The header.
 * @throws Error When there is none, or it describes another format.
 */
export function readModelHeader(folder: string): ModelHeader {
  const header = JSON.parse(readFileSync(join(folder, "header.json"), "utf8")) as ModelHeader;
  if (header.format !== knownFormat) throw new Error(`header.json has the format "${header.format}", expected "${knownFormat}"`);
  return header;
}

/**
 * The model's name as it is stored beside vectors: name and major version.
 *
 * @param header The model's header.
 * @returns Such as `multilingual-e5-small-en-zh-q4@1`.
 */
export function modelName(header: ModelHeader): string {
  return `${header.name}@${header.version.split(".")[0]}`;
}
