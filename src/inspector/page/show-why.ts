import type { IdExplanation } from "../../explain/explain-id.ts";
import { element, fill } from "./element.ts";
import { stepItem } from "./show-results.ts";

/** Shows a field for a document's id, and why it is not in the answer. */
export function showWhy(explain: (id: string) => Promise<IdExplanation>): void {
  const input = element("input", { id: "why-id", type: "text", autocomplete: "off", spellcheck: "false" }) as HTMLInputElement;
  const told = element("div", { "aria-live": "polite" });
  const form = element(
    "form",
    {
      onsubmit: (event) => {
        event.preventDefault();
        const id = input.value.trim();
        if (id === "") return;
        explain(id).then(
          (explanation) => told.replaceChildren(...explanationNodes(explanation)),
          (error: unknown) => told.replaceChildren(element("p.warning", {}, error instanceof Error ? error.message : String(error))),
        );
      },
    },
    element("label", { for: "why-id" }, "A document's id"),
    element("div.row", {}, input, element("button", { type: "submit" }, "Why?")),
  );
  fill("why", element("h2", {}, "Why is it not here?"), form, told);
}

function explanationNodes({ id, rank, reasons, steps }: IdExplanation): readonly HTMLElement[] {
  if (rank !== undefined) return [element("p", {}, element("code", {}, id), ` is at rank ${rank}.`), element("ul.steps", {}, stepItem(steps))];
  return [
    element(
      "ul.reasons",
      {},
      reasons.map(({ code, step, text }) => element("li", {}, element("code", {}, code), " ", step === "" ? "" : element("b", {}, `${step}: `), text)),
    ),
  ];
}
