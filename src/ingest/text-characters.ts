/** White space at which a line may break; a no-break space is none. */
export function isSpace(code: number): boolean {
  return ((kinds[code] ?? 0) & space) !== 0;
}

/** Scripts that are written without spaces between words: Han, kana, Thai, Lao, Khmer, Burmese. */
export function isUnspaced(code: number): boolean {
  return ((kinds[code] ?? 0) & unspaced) !== 0;
}

/** Punctuation that never begins a line: it belongs to what stands before it. */
export function isTrailingPunctuation(code: number): boolean {
  return ((kinds[code] ?? 0) & trailing) !== 0;
}

/** Quotes and brackets that close, and so may follow the end of a sentence. */
export function isCloser(code: number): boolean {
  return ((kinds[code] ?? 0) & closer) !== 0;
}

/** Ends a sentence whatever follows. */
export function isWideTerminator(code: number): boolean {
  return ((kinds[code] ?? 0) & wideTerminator) !== 0;
}

/** Whether a UTF-16 offset lies between the two halves of one code point. */
export function splitsPair(text: string, at: number): boolean {
  return at > 0 && at < text.length && isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1));
}

/** The first half of a code point beyond 0xffff. */
export function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** The second half of a code point beyond 0xffff. */
export function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

const space = 1;
const unspaced = 2;
const closer = 4;
const wideTerminator = 8;
const trailing = 16;

/** One byte for each UTF-16 unit; the cutter asks several times a character. Beyond the end (NaN) nothing is anything. */
const kinds: Uint8Array = /* @__PURE__ */ classify();

function classify(): Uint8Array {
  const table = new Uint8Array(0x10000);
  const mark = (kind: number, first: number, last: number = first): void => {
    for (let code = first; code <= last; code += 1) table[code] = (table[code] ?? 0) | kind;
  };
  const markAll = (kind: number, characters: string): void => {
    for (const character of characters) mark(kind, character.charCodeAt(0));
  };
  mark(space, 9, 13);
  markAll(space, " \u2028\u2029\u3000");
  mark(space, 0x2000, 0x2006);
  mark(space, 0x2008, 0x200a);
  mark(unspaced, 0x0e00, 0x0eff);
  mark(unspaced, 0x1000, 0x109f);
  mark(unspaced, 0x1780, 0x17ff);
  mark(unspaced, 0x3040, 0x30ff);
  mark(unspaced, 0x3400, 0x9fff);
  mark(unspaced, 0xd840, 0xd888); // the first half of rarer Han
  mark(unspaced, 0xf900, 0xfaff);
  markAll(closer | trailing, "\"')]}»”’」』）】》〉〗〕］｝");
  markAll(wideTerminator | trailing, "。！？；｡।۔؟");
  markAll(trailing, "，、：,.;:!?%…‥·～ー々％");
  return table;
}
