/** A scalar's decoded text as it grows, with the part of the source that each UTF-16 unit came from. */
export class DecodedUnits {
  readonly raw: string;
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  /** Where the text ends in the source. */
  end = 0;
  private readonly pieces: string[] = [];

  /** @param raw The scalar's source. */
  constructor(raw: string) {
    this.raw = raw;
  }

  get text(): string {
    return this.pieces.join("");
  }

  /** Adds text that came from one part of the source, all its units from the same. */
  take(text: string, start: number, end: number): void {
    this.pieces.push(text);
    for (let unit = 0; unit < text.length; unit += 1) {
      this.starts.push(start);
      this.ends.push(end);
    }
  }

  /** Adds a part of the source as it is. */
  takeSource(start: number, end: number): void {
    for (let at = start; at < end; at += 1) this.take(this.raw.charAt(at), at, at + 1);
  }

  /** Adds what line breaks fold to: one to a space, more to all but the first. */
  takeFold(breaks: readonly number[]): void {
    const [first, ...rest] = breaks;
    if (first !== undefined && rest.length === 0) this.take(" ", first, this.breakEnd(first));
    else this.takeBreaks(rest);
  }

  /** Adds line breaks as they are. */
  takeBreaks(breaks: readonly number[]): void {
    for (const at of breaks) this.take("\n", at, this.breakEnd(at));
  }

  /** Says where the text ended. */
  finish(end: number): void {
    this.end = end;
  }

  private breakEnd(at: number): number {
    return at + (this.raw[at] === "\r" ? 2 : 1);
  }
}
