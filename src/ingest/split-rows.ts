/** One row of a text file: a line, or for CSV a record that may span lines. */
export interface Row {
  /** Its first line, from 1. */
  readonly line: number;
  /** Its bytes without the line end; undefined where the row is longer than the bound. */
  readonly bytes: Buffer | undefined;
  /** Bytes of the source up to its end. */
  readonly offset: number;
}

/** Options of {@link splitRows}. */
export interface SplitRowsOptions {
  /** A line end inside a quoted field belongs to the row. */
  readonly quoted: boolean;
  /** Bytes of the longest row; of a longer one nothing is kept. */
  readonly maxRowBytes: number;
}

/**
 * Splits a stream of bytes into rows at LF or CRLF, a bounded number of bytes in memory at a time. A byte order mark is left out.
 *
 * Bytes are safe to look at before decoding: no byte of a longer UTF-8 sequence equals a quote, a comma or a line end.
 *
 * @param source Pieces of any size.
 * @param options What a row is.
 * @returns The rows of each piece together, blank ones included.
 */
export async function* splitRows(source: AsyncIterable<Buffer>, options: SplitRowsOptions): AsyncGenerator<readonly Row[]> {
  const splitter = new RowSplitter(options);
  for await (const piece of withoutMark(source)) {
    const rows = splitter.push(piece);
    if (rows.length > 0) yield rows;
  }
  const last = splitter.end();
  if (last !== undefined) yield [last];
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

async function* withoutMark(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const piece of source) {
    if (head === undefined) {
      yield piece;
      continue;
    }
    head = Buffer.concat([head, piece]);
    if (head.length < byteOrderMark.length) continue;
    yield head.subarray(0, 3).equals(byteOrderMark) ? head.subarray(3) : head;
    head = undefined;
  }
  if (head !== undefined) yield head;
}

const lineFeed = 10;
const carriageReturn = 13;
const quote = 34;
const comma = 44;

/** Where in a CSV field the last byte was; `closed` is after a quote inside quotes, which a second one takes back. */
type FieldState = "start" | "plain" | "quoted" | "closed";

class RowSplitter {
  readonly #options: SplitRowsOptions;
  #kept: Buffer[] = [];
  #keptBytes = 0;
  #tooLong = false;
  #offset = 0;
  #line = 1;
  #firstLine = 1;
  #state: FieldState = "start";

  constructor(options: SplitRowsOptions) {
    this.#options = options;
  }

  push(piece: Buffer): readonly Row[] {
    const rows: Row[] = [];
    const base = this.#offset;
    let start = 0;
    for (let end = this.#nextEnd(piece, 0); end >= 0; end = this.#nextEnd(piece, start)) {
      this.#keep(piece.subarray(start, end));
      start = end + 1;
      this.#offset = base + start;
      rows.push(this.#finish());
    }
    this.#keep(piece.subarray(start));
    this.#offset = base + piece.length;
    return rows;
  }

  end(): Row | undefined {
    return this.#keptBytes > 0 || this.#tooLong ? this.#finish() : undefined;
  }

  #nextEnd(piece: Buffer, from: number): number {
    if (!this.#options.quoted) {
      const end = piece.indexOf(lineFeed, from);
      if (end >= 0) this.#line += 1;
      return end;
    }
    for (let at = from; at < piece.length; at += 1) {
      const byte = piece[at];
      if (byte === lineFeed) {
        this.#line += 1;
        if (this.#state !== "quoted") return at;
      } else if (byte === quote) {
        if (this.#state !== "plain") this.#state = this.#state === "quoted" ? "closed" : "quoted";
      } else if (this.#state !== "quoted") {
        this.#state = byte === comma ? "start" : "plain";
      }
    }
    return -1;
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0 || this.#tooLong) return;
    this.#keptBytes += bytes.length;
    if (this.#keptBytes > this.#options.maxRowBytes) {
      this.#tooLong = true;
      this.#kept = [];
    } else {
      this.#kept.push(bytes);
    }
  }

  #finish(): Row {
    let bytes = this.#tooLong ? undefined : this.#kept.length === 1 ? this.#kept[0] : Buffer.concat(this.#kept);
    if (bytes?.at(-1) === carriageReturn) bytes = bytes.subarray(0, -1);
    const row = { line: this.#firstLine, bytes, offset: this.#offset };
    this.#kept = [];
    this.#keptBytes = 0;
    this.#tooLong = false;
    this.#firstLine = this.#line;
    this.#state = "start";
    return row;
  }
}
