/** Made at the first text that needs it: it takes as long to make as a small file takes to check. */
let segmenter: Intl.Segmenter | undefined;

/**
 * Counts the columns that a text takes in a terminal.
 *
 * Characters of East Asian scripts and emoji take two, marks that combine with the one before take none.
 *
 * @param text Without tabs and control characters.
 */
export function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/u.test(text)) return text.length;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += isWide(segment) ? 2 : /^[\p{M}\u200b-\u200d]+$/u.test(segment) ? 0 : 1;
  return width;
}

/** First and last code points of the blocks whose characters take two columns. */
const wideBlocks: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x20000, 0x3fffd],
];

function isWide(segment: string): boolean {
  const code = segment.codePointAt(0) ?? 0;
  return wideBlocks.some(([first, last]) => code >= first && code <= last) || /^\p{Emoji_Presentation}|\ufe0f/u.test(segment);
}
