import type { InspectorRequest, PipelineState } from "../inspector-data.ts";
import { byId, element } from "./element.ts";

/** The form that asks. */
export class QuestionForm {
  readonly #query: HTMLInputElement = field("query", "search");
  readonly #target: HTMLSelectElement = element("select", { id: "target" }) as HTMLSelectElement;
  readonly #strategy: HTMLSelectElement = element("select", { id: "strategy" }) as HTMLSelectElement;
  readonly #limit: HTMLInputElement = field("limit", "number", { min: 1, max: 100, value: 10 });
  readonly #namespace: HTMLInputElement = field("namespace", "text");
  readonly #filter: HTMLInputElement = field("filter", "text", { placeholder: '{"product": "web"}' });
  #targets: PipelineState["targets"] = [];

  /** @param ask Called with what the form says. */
  constructor(ask: () => void) {
    this.#query.placeholder = "Ask something";
    this.#target.addEventListener("change", () => this.#fillStrategies());
    this.#strategy.addEventListener("change", () => {
      if (this.#query.value.trim() !== "") ask();
    });
    const form = element(
      "form.question",
      {
        role: "search",
        onsubmit: (event) => {
          event.preventDefault();
          ask();
        },
      },
      element("div.row", {}, element("label.hidden", { for: "query" }, "Question"), this.#query, element("button.primary", { type: "submit" }, "Search")),
      element(
        "div.row.options",
        {},
        labelled("Target", this.#target),
        labelled("Strategy", this.#strategy),
        labelled("Results", this.#limit),
        element(
          "details",
          {},
          element("summary", {}, "Filter and scope"),
          element("div.row", {}, labelled("Filter (JSON)", this.#filter), labelled("Scope", this.#namespace)),
        ),
      ),
    );
    byId("ask").replaceChildren(form);
    document.addEventListener("keydown", (event) => this.#focusBySlash(event));
  }

  /** Offers the targets of a pipeline; what was chosen stays chosen where it is still there. */
  offer({ targets }: PipelineState): void {
    this.#targets = targets;
    fillSelect(
      this.#target,
      targets.map(({ name }) => name),
      this.#target.value,
    );
    this.#fillStrategies();
    byId("ask").hidden = targets.length === 0;
  }

  /**
   * What the form says.
   *
   * @returns Undefined without a question.
   * @throws Error Where the filter is no JSON object.
   */
  read(): InspectorRequest | undefined {
    const query = this.#query.value.trim();
    if (query === "") return undefined;
    const [filter, namespace] = [this.#filter.value.trim(), this.#namespace.value.trim()];
    return {
      query,
      target: this.#target.value,
      strategy: this.#strategy.value,
      limit: Math.min(100, Math.max(1, Math.round(Number(this.#limit.value)) || 10)),
      ...(namespace === "" ? {} : { namespace }),
      ...(filter === "" ? {} : { filter: readFilter(filter) }),
    };
  }

  #fillStrategies(): void {
    const target = this.#targets.find(({ name }) => name === this.#target.value);
    if (target === undefined) return;
    const before = this.#strategy.value;
    fillSelect(this.#strategy, target.strategies, target.strategies.includes(before) ? before : target.default);
  }

  #focusBySlash(event: KeyboardEvent): void {
    const at = document.activeElement;
    if (event.key !== "/" || event.ctrlKey || event.metaKey || at instanceof HTMLInputElement || at instanceof HTMLSelectElement) return;
    event.preventDefault();
    this.#query.focus();
    this.#query.select();
  }
}

function field(id: string, type: string, more: Readonly<Record<string, string | number>> = {}): HTMLInputElement {
  return element("input", { id, type, autocomplete: "off", ...more }) as HTMLInputElement;
}

function labelled(text: string, control: HTMLElement): HTMLElement {
  return element("div.field", {}, element("label", { for: control.id }, text), control);
}

function fillSelect(select: HTMLSelectElement, names: readonly string[], chosen: string): void {
  select.replaceChildren(...names.map((name) => element("option", { value: name }, name)));
  if (names.includes(chosen)) select.value = chosen;
}

function readFilter(text: string): NonNullable<InspectorRequest["filter"]> {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('The filter is no JSON: write {"product": "web"}');
  }
}
