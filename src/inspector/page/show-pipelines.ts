import type { InspectorState, PipelineState } from "../inspector-data.ts";
import { byId, element } from "./element.ts";

/** How a file stands, in one word and one colour. */
function stateOf({ generation, error, problems }: PipelineState): "live" | "broken" | "behind" {
  const wrong = error !== undefined || problems.some(({ severity }) => severity === "error");
  if (!wrong) return "live";
  return generation === undefined ? "broken" : "behind";
}

const words = { live: "serves", broken: "does not serve", behind: "serves an older state" } as const;

/** Shows the list of pipelines. */
export function showPipelines(
  { pipelines }: InspectorState,
  { chosen, choose }: { readonly chosen: string | undefined; readonly choose: (path: string) => void },
): void {
  const hadFocus = byId("pipelines").contains(document.activeElement);
  const items = pipelines.map((pipeline) => {
    const { path, name, generation } = pipeline;
    const state = stateOf(pipeline);
    const told = generation === undefined ? words[state] : `generation ${generation.number}, ${words[state]}`;
    return element(
      "li",
      {},
      element(
        "button",
        { type: "button", "aria-current": path === chosen ? "true" : undefined, onclick: () => choose(path) },
        element(`span.state.${state}`, { "aria-hidden": "true" }),
        element("span.label", {}, element("b", {}, name ?? path.split("/").at(-1)), element("small", {}, told)),
      ),
    );
  });
  byId("pipelines").replaceChildren(element("ul", {}, items));
  const current = byId("pipelines").querySelector<HTMLElement>("[aria-current]");
  if (hadFocus) current?.focus();
  else current?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** Shows what the chosen pipeline is. */
export function showAbout(pipeline: PipelineState): void {
  const { path, name, generation, running } = pipeline;
  const since = generation === undefined ? undefined : new Date(generation.since).toLocaleTimeString();
  byId("about").replaceChildren(
    element("h2", {}, name ?? path),
    element(
      "p.note",
      {},
      element("code", {}, path),
      generation === undefined ? "" : ` generation ${generation.number} since ${since}`,
      running > 0 ? `, ${running} running` : "",
    ),
  );
}
