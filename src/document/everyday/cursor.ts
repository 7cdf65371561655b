/** Thrown, and caught by `readPlainYaml`, at what is not everyday. */
export const uncommon: Error = new Error("not everyday YAML");

/** Collections inside each other that are read. */
const deepest = 40;

/** A place in a text that is read from its beginning to its end. */
export class Cursor {
  readonly text: string;
  at = 0;
  #depth = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The character here; undefined at the end. */
  get unit(): string | undefined {
    return this.text[this.at];
  }

  /** The column, from 0. */
  get column(): number {
    return this.at - (this.text.lastIndexOf("\n", this.at - 1) + 1);
  }

  get isLineEnd(): boolean {
    const { unit } = this;
    return unit === undefined || unit === "\n" || unit === "\r";
  }

  spaces(): void {
    while (this.text[this.at] === " ") this.at += 1;
  }

  /** The rest of a line: nothing, or a comment with a space before it. */
  endOfLine(): void {
    if (this.unit === "#" && this.text[this.at - 1] === " ") this.toLineEnd();
    else if (!this.isLineEnd) this.giveUp();
    this.nextLine();
  }

  toLineEnd(): void {
    const end = this.text.indexOf("\n", this.at);
    this.at = end === -1 ? this.text.length : end;
  }

  nextLine(): void {
    this.toLineEnd();
    if (this.at < this.text.length) this.at += 1;
  }

  /** Reads a collection, one level deeper. */
  inside<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > deepest) this.giveUp();
    const found = read();
    this.#depth -= 1;
    return found;
  }

  giveUp(): never {
    throw uncommon;
  }
}

/** Whether a character, or the end of the text, is white space. */
export function isSpace(unit: string | undefined): boolean {
  return unit === undefined || unit === " " || unit === "\n" || unit === "\r";
}
