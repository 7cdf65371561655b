import { applyEdits } from "./apply-edits.ts";
import type { Span } from "./document.ts";
import { type CutExpression, findCutExpressions } from "./find-cut-expressions.ts";
import { lexYaml } from "./read-yaml.ts";

/** A text with its cut expressions quoted, and the way back. */
export interface RepairedText {
  readonly text: string;
  readonly lexemes: readonly string[];
  /** With places in the original text, in its order. */
  readonly cuts: readonly CutExpression[];
  /** The place in the original of an offset in the repaired text. */
  readonly originalOffset: (offset: number) => number;
  /** The cut expression whose quoted form begins at an offset of the repaired text. */
  readonly cutAt: (offset: number) => CutExpression | undefined;
}

/** One cut expression can hide another, so that more than one look is needed; each hides fewer. */
const roundLimit = 8;

/**
 * Quotes the expressions that YAML would cut, so that everything else in the file is still read and checked.
 *
 * @param text The original.
 */
export function repairCuts(text: string): RepairedText {
  let repaired = asRepaired(text, []);
  for (let round = 0; round < roundLimit; round += 1) {
    const found = findCutExpressions(repaired.text, repaired.lexemes).map((cut) => inOriginal(cut, repaired));
    const fresh = found.filter((cut) => !repaired.cuts.some((known) => overlap(cut.span, known.span)));
    if (fresh.length === 0) break;
    repaired = asRepaired(
      text,
      [...repaired.cuts, ...fresh].sort((a, b) => a.span.start - b.span.start),
    );
  }
  return repaired;
}

function asRepaired(original: string, cuts: readonly CutExpression[]): RepairedText {
  const text = applyEdits(
    original,
    cuts.map((cut) => ({ span: cut.span, text: cut.quoted })),
  );
  let shift = 0;
  const pieces = cuts.map((cut) => {
    const start = cut.span.start + shift;
    shift += cut.quoted.length - (cut.span.end - cut.span.start);
    return { start, end: start + cut.quoted.length, cut };
  });
  return {
    text,
    lexemes: lexYaml(text),
    cuts,
    originalOffset: (offset) => originalOffset(pieces, offset),
    cutAt: (offset) => (pieces[lastIndex(pieces, offset)]?.start === offset ? pieces[lastIndex(pieces, offset)]?.cut : undefined),
  };
}

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly cut: CutExpression;
}

function originalOffset(pieces: readonly Piece[], offset: number): number {
  const piece = pieces[lastIndex(pieces, offset)];
  if (piece === undefined) return offset;
  const { span } = piece.cut;
  return offset >= piece.end ? span.end + (offset - piece.end) : Math.min(span.start + (offset - piece.start), span.end);
}

/** Index of the last piece that begins at or before an offset; -1 without one. */
function lastIndex(pieces: readonly Piece[], offset: number): number {
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pieces[middle]?.start ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function inOriginal(cut: CutExpression, repaired: RepairedText): CutExpression {
  const place = (span: Span): Span => ({ start: repaired.originalOffset(span.start), end: repaired.originalOffset(span.end) });
  return { ...cut, span: place(cut.span), inner: place(cut.inner) };
}

function overlap(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}
