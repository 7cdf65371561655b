import type { InspectorAnswer } from "../inspector-data.ts";
import { element, fill } from "./element.ts";

/** Shows the same question's answers of the two last generations side by side. */
export function showCompare(answer: InspectorAnswer, previous: InspectorAnswer | undefined): void {
  if (previous === undefined) {
    fill("compare");
    return;
  }
  fill(
    "compare",
    element("h2", {}, `Generation ${previous.generation.number} and generation ${answer.generation.number}`),
    element("p.note", {}, sentence(answer, previous)),
    element("div.sides", {}, side(previous, answer, "before"), side(answer, previous, "now")),
  );
}

function sentence(answer: InspectorAnswer, previous: InspectorAnswer): string {
  const before = new Map(previous.hits.map(({ id, rank }) => [id, rank]));
  const moved = answer.hits.filter(({ id, rank }) => before.has(id) && before.get(id) !== rank).length;
  const fresh = answer.hits.filter(({ id }) => !before.has(id)).length;
  return moved + fresh === 0 ? "Both give the same order." : `${moved} moved, ${fresh} new.`;
}

function side(own: InspectorAnswer, other: InspectorAnswer, which: "before" | "now"): HTMLElement {
  const ranks = new Map(other.hits.map(({ id, rank }) => [id, rank]));
  const items = own.hits.map(({ id, rank, title }) => {
    const there = ranks.get(id);
    const mark = which === "before" ? (there === undefined ? element("span.move.down", {}, "gone") : undefined) : moveOf(rank, there);
    return element("li", {}, title, mark);
  });
  return element("div.side", {}, element("h3", {}, `Generation ${own.generation.number}${which === "now" ? ", now" : ""}`), element("ol", {}, items));
}

function moveOf(rank: number, before: number | undefined): HTMLElement | undefined {
  if (before === undefined) return element("span.move.up", {}, "new");
  if (before === rank) return undefined;
  return element(before > rank ? "span.move.up" : "span.move.down", {}, `${before > rank ? "▲" : "▼"} ${Math.abs(before - rank)}`);
}
