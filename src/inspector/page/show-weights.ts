import type { InspectorAnswer, InspectorFusion } from "../inspector-data.ts";
import type { WeightsYaml } from "../weights-yaml.ts";
import { element, fill, shortNumber } from "./element.ts";
import { fuseAgain, type RankedHit } from "./fuse-again.ts";

/** What the weights' panel needs. */
export interface WeightsPanel {
  readonly answer: InspectorAnswer;
  /** Shows results with weights that are tried; `isTried` is false where they are the file's. */
  readonly show: (hits: readonly RankedHit[], isTried: boolean) => void;
  /** The branches with these weights, as they may be pasted. */
  readonly yaml: (weights: Readonly<Record<string, number>>) => Promise<WeightsYaml>;
}

/** Shows a slider for each branch of the fusion; what it changes is seen at once. */
export function showWeights(panel: WeightsPanel): void {
  const { fusion } = panel.answer;
  if (fusion === undefined) {
    fill("weights");
    return;
  }
  const weights = fusion.branches.map(({ weight }) => weight);
  const yaml = element("div.yaml", { "aria-live": "polite" });
  const preview = element("ol.preview");
  const changed = (): void => apply(panel, { fusion, weights, yaml, preview });
  const rows = fusion.branches.map(({ label }, index) => slider({ label, index, weights, changed }));
  const reset = element(
    "button",
    {
      type: "button",
      onclick: () => {
        for (const [index, { weight }] of fusion.branches.entries()) {
          weights[index] = weight;
          rows[index]?.set(weight);
        }
        changed();
      },
    },
    "As in the file",
  );
  fill(
    "weights",
    element("h2", {}, "Weights"),
    element(
      "p.note",
      {},
      fusion.isWhole ? "The order on the left follows at once." : "Steps above this fusion change its order again; below is the order that they get.",
    ),
    ...rows.map(({ row }) => row),
    element("div.buttons", {}, reset),
    yaml,
    fusion.isWhole ? undefined : preview,
  );
  changed();
}

function slider(at: { readonly label: string; readonly index: number; readonly weights: number[]; readonly changed: () => void }): {
  readonly row: HTMLElement;
  readonly set: (weight: number) => void;
} {
  const { label, index, weights, changed } = at;
  const id = `weight-${index}`;
  const start = weights[index] ?? 1;
  const most = Math.max(2, 2 * start);
  const input = element("input", { type: "range", id, min: 0.05, max: most, step: 0.05 }) as HTMLInputElement;
  const output = element("output", { for: id });
  const set = (weight: number): void => {
    input.value = String(weight);
    output.textContent = shortNumber(weight);
  };
  set(start);
  input.addEventListener("input", () => {
    weights[index] = Number(input.value);
    output.textContent = shortNumber(Number(input.value));
    changed();
  });
  const row = element("div.weight", {}, element("label", { for: id }, element(`span.dot.fill${index % 6}`, { "aria-hidden": "true" }), label), input, output);
  return { row, set };
}

interface Parts {
  readonly fusion: InspectorFusion;
  readonly weights: readonly number[];
  readonly yaml: HTMLElement;
  readonly preview: HTMLElement;
}

let asked = 0;

function apply({ answer, show, yaml: ask }: WeightsPanel, { fusion, weights, yaml, preview }: Parts): void {
  const isTried = weights.some((weight, index) => weight !== fusion.branches[index]?.weight);
  const hits = fuseAgain(answer, fusion, weights);
  if (fusion.isWhole) show(hits, isTried);
  else preview.replaceChildren(...hits.slice(0, 10).map(({ title }) => element("li", {}, title)));
  asked += 1;
  const own = asked;
  if (!isTried) {
    yaml.replaceChildren();
    return;
  }
  const named = Object.fromEntries(fusion.branches.map(({ label }, index) => [label, weights[index] ?? 1]));
  ask(named).then(
    (written) => own === asked && showYaml(yaml, written),
    () => yaml.replaceChildren(),
  );
}

function showYaml(into: HTMLElement, { file, line, yaml }: WeightsYaml): void {
  const done = element("span.note", { role: "status" });
  const copy = element(
    "button",
    {
      type: "button",
      onclick: () => {
        void navigator.clipboard.writeText(yaml).then(
          () => {
            done.textContent = "copied";
          },
          () => {
            done.textContent = "select it and copy";
          },
        );
      },
    },
    "Copy",
  );
  into.replaceChildren(
    element("p.note", {}, "To paste at ", element("code", {}, `${file}:${line}`)),
    element("pre", { tabindex: 0, "aria-label": "YAML to paste" }, yaml),
    element("div.buttons", {}, copy, done),
  );
}
