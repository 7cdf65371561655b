import type { HitStep } from "../../explain/explain-hits.ts";
import type { InspectorAnswer } from "../inspector-data.ts";
import { element, fill, shortMs, shortNumber } from "./element.ts";
import type { RankedHit, Share } from "./fuse-again.ts";

/** Shows the ranked answer: of each result the branches' ranks, scores, weights and what they add. */
export function showResults(answer: InspectorAnswer, hits: readonly RankedHit[], { isTried }: { readonly isTried: boolean }): void {
  const most = Math.max(...hits.map((hit) => sumOf(hit.shares)), Number.MIN_VALUE);
  const count = `${hits.length} ${hits.length === 1 ? "result" : "results"}`;
  fill(
    "results",
    element(
      "div.heading",
      {},
      element("h2", {}, `${answer.target} / ${answer.strategy}`),
      element(
        "p.note",
        {},
        isTried ? `${count} with the weights that you try` : `${count} in ${shortMs(answer.elapsedMs)}, generation ${answer.generation.number}`,
      ),
    ),
    ...answer.degraded.map(({ step, code }) => element("p.warning", {}, `Degraded: ${step} (${code})`)),
    hits.length === 0
      ? element("p.empty", {}, "Nothing was found.")
      : element(
          "ol.hits",
          {},
          hits.map((hit) => hitItem(hit, { most, isTried })),
        ),
  );
}

/** An answer without a fusion of its own, as it came. */
export function plainHits(answer: InspectorAnswer): readonly RankedHit[] {
  return answer.hits.map((hit) => ({ id: hit.id, rank: hit.rank, before: hit.rank, score: hit.score, title: hit.title, shares: [], hit }));
}

function hitItem(ranked: RankedHit, { most, isTried }: { readonly most: number; readonly isTried: boolean }): HTMLElement {
  const { id, rank, score, title, shares, hit } = ranked;
  return element(
    "li",
    { "data-id": id },
    element("span.rank", { "aria-hidden": "true" }, String(rank)),
    element(
      "div.hit",
      {},
      element("p.title", {}, element("strong", {}, title), isTried ? moveMark(ranked) : undefined),
      element("p.note", {}, element("code", {}, id), score === undefined ? "" : ` score ${shortNumber(score)}`),
      shares.length === 0 ? undefined : shareBar(shares, most),
      shares.length === 0 ? origins(hit?.steps) : element("ul.shares", {}, shares.map(shareItem)),
      hit === undefined ? undefined : more(hit.text, { id, title, steps: hit.steps, metadata: hit.metadata }),
    ),
  );
}

/** Where it comes from, where no fusion is done again: what each step below made of it. */
function origins(steps: HitStep | undefined): HTMLElement | undefined {
  const below = stepsBelow(steps).filter(({ rank }) => rank !== undefined);
  if (below.length === 0) return undefined;
  return element(
    "ul.shares",
    {},
    below.map(({ step, rank, score }) => element("li", {}, element("b", {}, step), ` #${rank}${score === undefined ? "" : `, score ${shortNumber(score)}`}`)),
  );
}

function stepsBelow(step: HitStep | undefined): readonly HitStep[] {
  return (step?.from ?? []).flatMap((below) => [below, ...stepsBelow(below)]);
}

function moveMark({ rank, before }: RankedHit): HTMLElement | undefined {
  if (before === rank) return undefined;
  if (before === undefined) return element("span.move.up", {}, "new");
  const places = Math.abs(before - rank);
  return element(before > rank ? "span.move.up" : "span.move.down", {}, `${before > rank ? "▲" : "▼"} ${places}`);
}

/** The parts of the score side by side; as wide as the best result's where it is as good. */
function shareBar(shares: readonly Share[], most: number): HTMLElement {
  const bar = element("div.bar", { "aria-hidden": "true" });
  for (const { branch, contribution } of shares) {
    const part = element(`span.fill${branch % 6}`);
    part.style.width = `${(100 * contribution) / most}%`;
    bar.append(part);
  }
  return bar;
}

function shareItem({ branch, label, rank, score, weight, contribution }: Share): HTMLElement {
  const told = score === undefined ? "" : `, score ${shortNumber(score)}`;
  return element(
    "li",
    {},
    element(`span.dot.fill${branch % 6}`, { "aria-hidden": "true" }),
    element("b", {}, label),
    ` #${rank}${told}, weight ${shortNumber(weight)} gives ${shortNumber(contribution)}`,
  );
}

/** Documents whose details are open: they stay so when the order changes. */
const opened = new Set<string>();

function more(
  text: string,
  { id, title, steps, metadata }: { readonly id: string; readonly title: string; readonly steps: HitStep; readonly metadata: object | undefined },
): HTMLElement {
  return element(
    "details",
    {
      open: opened.has(id),
      ontoggle: (event) => {
        if ((event.target as HTMLDetailsElement).open) opened.add(id);
        else opened.delete(id);
      },
    },
    element("summary", {}, "Why here, and what it says"),
    element("ul.steps", {}, stepItem(steps)),
    text === title ? undefined : element("p.text", {}, text),
    metadata === undefined || Object.keys(metadata).length === 0
      ? undefined
      : element("pre", { tabindex: 0, "aria-label": "metadata" }, JSON.stringify(metadata, null, 2)),
  );
}

/** What a step made of a document, and what those below it brought. */
export function stepItem({ step, rank, score, formula, contribution, failed, was, from }: HitStep): HTMLElement {
  const facts = [
    ...(rank === undefined ? [failed === undefined ? "does not bring it" : `left out: ${failed}`] : [`#${rank}`]),
    ...(score === undefined ? [] : [`score ${shortNumber(score)}`]),
    ...(formula === undefined ? [] : [`gives ${formula} = ${shortNumber(contribution ?? 0)}`]),
    ...(was === undefined ? [] : [`as "${was}"`]),
  ];
  return element("li", {}, element("b", {}, step), ` ${facts.join(", ")}`, from.length === 0 ? undefined : element("ul", {}, from.map(stepItem)));
}

function sumOf(shares: readonly Share[]): number {
  return shares.reduce((sum, { contribution }) => sum + contribution, 0);
}
