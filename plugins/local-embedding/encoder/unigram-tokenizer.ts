import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TokenizerHeader } from "./model-header.ts";

/** Stands for the space before a word; pieces hold it at their start only, so that words can be cut one by one. */
const wordMark = "\u2581";
/** Words of natural text repeat; longer ones (addresses, sentences without spaces) seldom do. */
const longestKeptWord = 24;
const usualWordLength = 256;
const mostKeptWords = 50_000;

/** SentencePiece's unigram model: of all ways to cut a word into pieces it takes the one with the highest sum of scores. */
export class UnigramTokenizer {
  readonly #header: TokenizerHeader;
  readonly #exceptions: ReadonlyMap<string, string>;
  readonly #ids = new Map<string, number>();
  readonly #scores: Float32Array;
  /** First UTF-16 unit of pieces -> length of the longest of them. */
  readonly #longest = new Map<number, number>();
  /** Used for each word in turn; a longer word gets its own. */
  readonly #table: PathTable = pathTable(usualWordLength);
  readonly #keptWords = new Map<string, readonly number[]>();

  /**
   * @param header Constants of the tokenizer.
   * @param vocabulary Text of `vocab.tsv`: piece, tab, score; the line's number is the token's id. A piece that starts
   *   with a quotation mark is a JSON string.
   * @throws Error When the vocabulary has another number of pieces than the header says.
   */
  constructor(header: TokenizerHeader, vocabulary: string) {
    this.#header = header;
    this.#exceptions = new Map(Object.entries(header.exceptions).map(([hex, text]) => [String.fromCodePoint(Number.parseInt(hex, 16)), text]));
    const lines = vocabulary.trimEnd().split("\n");
    if (lines.length !== header.pieces) throw new Error(`vocab.tsv has ${lines.length} pieces, the header says ${header.pieces}`);
    this.#scores = new Float32Array(lines.length);
    const unwritten = new Set([header.bos, header.eos, header.pad, header.unk]);
    lines.forEach((line, id) => {
      const tab = line.lastIndexOf("\t");
      const piece = line.startsWith('"') ? (JSON.parse(line.slice(0, tab)) as string) : line.slice(0, tab);
      this.#scores[id] = Number(line.slice(tab + 1));
      if (!unwritten.has(id) && piece !== "<mask>") this.#addPiece(piece, id);
    });
  }

  /**
   * Cuts a text into tokens, without the marks of its beginning and end.
   *
   * @param text Any text; spaces at its start and end make no token.
   * @param limit Most tokens to return; those beyond are not looked for, as far as words allow.
   * @returns Token ids.
   */
  tokenize(text: string, limit: number = Number.POSITIVE_INFINITY): number[] {
    const normalised = this.#normalise(text);
    const tokens: number[] = [];
    for (let start = 0; start < normalised.length && tokens.length < limit; ) {
      const space = normalised.indexOf(" ", start);
      const end = space < 0 ? normalised.length : space;
      if (end > start) for (const id of this.#tokensOfWord(normalised.slice(start, end))) tokens.push(id);
      start = end + 1;
    }
    if (tokens.length > limit) tokens.length = limit;
    return tokens;
  }

  #addPiece(piece: string, id: number): void {
    this.#ids.set(piece, id);
    const first = piece.charCodeAt(0);
    if ((this.#longest.get(first) ?? 0) < piece.length) this.#longest.set(first, piece.length);
  }

  /** NFC for the whole, so that accents join their letters; then the model's own table, which is NFKC of single code points but for the exceptions. */
  #normalise(text: string): string {
    return text.normalize("NFC").replace(/[^ -~\u4e00-\u9fff]/gu, (character) => this.#exceptions.get(character) ?? character.normalize("NFKC"));
  }

  #tokensOfWord(word: string): readonly number[] {
    const kept = this.#keptWords.get(word);
    if (kept !== undefined) return kept;
    const tokens = this.#bestPath(wordMark + word);
    if (word.length <= longestKeptWord) {
      // Frequent words come back at once, which is why emptying is as good here as an order of use would be.
      if (this.#keptWords.size >= mostKeptWords) this.#keptWords.clear();
      this.#keptWords.set(word, tokens);
    }
    return tokens;
  }

  /** Viterbi over UTF-16 units: the best sum of scores that ends at each place, and the piece that it ends with. */
  #bestPath(word: string): readonly number[] {
    const length = word.length;
    const { best, pieceEndingAt, startOfPiece } = length <= this.#table.length ? this.#table : pathTable(length);
    best.fill(Number.NEGATIVE_INFINITY, 0, length + 1);
    best[0] = 0;
    for (let start = 0; start < length; start++) {
      const before = best[start] as number;
      if (before === Number.NEGATIVE_INFINITY) continue; // between the halves of a surrogate pair
      const last = Math.min(length, start + (this.#longest.get(word.charCodeAt(start)) ?? 0));
      for (let end = start + 1; end <= last; end++) {
        const piece = this.#ids.get(word.slice(start, end));
        if (piece === undefined) continue;
        const score = before + (this.#scores[piece] as number);
        if (score <= (best[end] as number)) continue;
        best[end] = score;
        pieceEndingAt[end] = piece;
        startOfPiece[end] = start;
      }
      const next = start + unitsAt(word, start);
      const score = before + this.#header.unkScore;
      if (score <= (best[next] as number)) continue;
      best[next] = score;
      pieceEndingAt[next] = this.#header.unk;
      startOfPiece[next] = start;
    }
    const tokens: number[] = [];
    for (let end = length; end > 0; end = startOfPiece[end] as number) tokens.push(pieceEndingAt[end] as number);
    return tokens.reverse();
  }
}

/**
 * Reads the tokenizer of a model folder; takes some 50 ms.
 *
 * @param folder Absolute path of the folder with `vocab.tsv`.
 * @param header Constants of the tokenizer.
 * @returns The tokenizer.
 * @throws Error When the file is missing or does not fit the header.
 */
export function loadUnigramTokenizer(folder: string, header: TokenizerHeader): UnigramTokenizer {
  return new UnigramTokenizer(header, readFileSync(join(folder, "vocab.tsv"), "utf8"));
}

/** UTF-16 units of the code point at a place; half a pair counts as one. */
function unitsAt(text: string, index: number): number {
  return (text.codePointAt(index) as number) > 0xffff ? 2 : 1;
}

/** For each place in a word: the best sum of scores that ends there, the piece that it ends with, and where that begins. */
interface PathTable {
  readonly length: number;
  readonly best: Float64Array;
  readonly pieceEndingAt: Int32Array;
  readonly startOfPiece: Int32Array;
}

function pathTable(length: number): PathTable {
  return { length, best: new Float64Array(length + 1), pieceEndingAt: new Int32Array(length + 1), startOfPiece: new Int32Array(length + 1) };
}
