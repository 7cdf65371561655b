import type { JsonObject } from "../../../src/contracts/json.ts";
import type { TraceSpan } from "../../../src/contracts/trace.ts";

export interface RecordedSpan extends TraceSpan {
  readonly kind: string;
  readonly label: string;
  readonly facts: Record<string, unknown>;
  readonly children: RecordedSpan[];
  closed: boolean;
  error: unknown;
}

/** A trace that keeps what it is told. */
export function recordedTrace(kind = "root", label = ""): RecordedSpan {
  const span: RecordedSpan = {
    kind,
    label,
    facts: {},
    children: [],
    closed: false,
    error: undefined,
    open(childKind, childLabel, facts) {
      const child = recordedTrace(childKind, childLabel);
      Object.assign(child.facts, facts);
      span.children.push(child);
      return child;
    },
    add(facts: JsonObject) {
      Object.assign(span.facts, facts);
    },
    close(error) {
      span.closed = true;
      span.error = error;
    },
  };
  return span;
}

/** `kind:label` of every step, in the order of a walk. */
export function stepsOf(span: RecordedSpan): string[] {
  return span.children.flatMap((child) => [`${child.kind}:${child.label}`, ...stepsOf(child)]);
}
