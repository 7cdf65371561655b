import type { TraceSpan } from "../contracts/trace.ts";

/**
 * Tells two what happens.
 *
 * @param first The one who may ask for lists and for searches to be asked again.
 * @param second The other one; gets the same facts.
 */
export function joinSpans(first: TraceSpan, second: TraceSpan): TraceSpan {
  return {
    brief: first.brief === true && second.brief === true,
    open: (kind, label, facts) => joinSpans(first.open(kind, label, facts), second.open(kind, label, facts)),
    add: (facts) => {
      first.add(facts);
      second.add(facts);
    },
    close: (error) => {
      first.close(error);
      second.close(error);
    },
    offer: (again) => {
      first.offer?.(again);
      second.offer?.(again);
    },
  };
}
