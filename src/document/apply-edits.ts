import { invariant } from "../base/invariant.ts";
import type { TextEdit } from "./document.ts";

/**
 * Applies edits to a text.
 *
 * Edits that repeat another one are done once; of edits that overlap, the first one by place is done and the others are left out, so that
 * a second round can look at the changed text.
 *
 * @param text The text that the spans refer to.
 * @param edits In any order.
 * @returns The changed text.
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const ordered = [...edits].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  const parts: string[] = [];
  let done = 0;
  let last: TextEdit | undefined;
  for (const edit of ordered) {
    const { start, end } = edit.span;
    invariant(start <= end && end <= text.length, "an edit lies within its text");
    const repeated = last !== undefined && last.span.start === start && last.span.end === end;
    if (start < done || repeated) continue;
    parts.push(text.slice(done, start), edit.text);
    done = end;
    last = edit;
  }
  parts.push(text.slice(done));
  return parts.join("");
}
