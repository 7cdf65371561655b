import { decodeScalar } from "./decode-scalar.ts";
import type { ScalarNode, Span } from "./document.ts";

const decoded = new WeakMap<ScalarNode, Offsets>();

/** For each unit of the decoded text: the place in the source that it came from. */
interface Offsets {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** Where the text ends in the source. */
  readonly end: number;
}

/**
 * Finds the place in the source that a character of a scalar's decoded text came from.
 *
 * An escape counts from its backslash; a folded space or line break from the break in the source.
 *
 * @param scalar The scalar.
 * @param offset Offset in `scalar.text`, in UTF-16 units; its length stands for the end.
 * @returns An offset in the source, inside `scalar.span`.
 */
export function offsetInSource(scalar: ScalarNode, offset: number): number {
  const { starts, end } = offsetsOf(scalar);
  return starts[Math.max(0, offset)] ?? end;
}

/**
 * Finds the part of the source that a part of a scalar's decoded text came from.
 *
 * @param scalar The scalar.
 * @param span Offsets in `scalar.text`.
 * @returns Offsets in the source; an empty span stays empty.
 */
export function spanInSource(scalar: ScalarNode, span: Span): Span {
  const { ends } = offsetsOf(scalar);
  const start = offsetInSource(scalar, span.start);
  return { start, end: span.end > span.start ? Math.max(start, ends[span.end - 1] ?? offsetInSource(scalar, span.end)) : start };
}

function offsetsOf(scalar: ScalarNode): Offsets {
  const known = decoded.get(scalar);
  if (known !== undefined) return known;
  const { start } = scalar.span;
  const units = decodeScalar(scalar);
  const lead = scalar.lead ?? 0;
  const before = Array.from({ length: lead }, () => start);
  const offsets = {
    starts: [...before, ...units.starts.map((at) => start + at)],
    ends: [...before, ...units.ends.map((at) => start + at)],
    end: start + units.end,
  };
  decoded.set(scalar, offsets);
  return offsets;
}
