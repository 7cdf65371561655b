import { isRecord } from "../../base/is-record.ts";
import type { JsonObject } from "../../contracts/json.ts";
import type { TraceSpan } from "../../contracts/trace.ts";
import type { Plan } from "../../pipeline/model/plan.ts";

/**
 * Counts which ways through a pipeline tests took: strategies, branches of hybrids and routes, substitutes (`onError`), graph nodes, and
 * both outcomes of `when`.
 */
export class Coverage {
  /** Every way there is, by its name. */
  readonly #ways = new Map<string, boolean>();
  /** What answers call the steps that have a substitute, by way. */
  readonly #steps = new Map<string, string>();

  constructor(plan: Plan) {
    for (const [target, { strategies }] of Object.entries(plan.targets))
      for (const strategy of Object.keys(strategies)) this.#ways.set(`${target}/${strategy}`, false);
    for (const { id, name, kind, role, target, configuration } of plan.components) {
      if (!isRecord(configuration)) continue;
      const own = target === undefined ? id : `${target.name}/${target.strategy}`;
      if (isSubstituted(configuration)) this.#substitute(`${own} onError`, configuration["label"] ?? (role === "reranker" ? "rerank" : name));
      const branches = configuration["branches"];
      if (target === undefined || (kind !== "hybrid" && kind !== "route") || !isRecord(branches)) continue;
      for (const [branch, settings] of Object.entries(branches)) {
        this.#ways.set(`${own} branch ${branch}`, false);
        if (isRecord(settings) && isSubstituted(settings)) this.#substitute(`${own} branch ${branch} onError`, settings["label"] ?? branch);
      }
    }
    for (const { name, nodes } of Object.values(plan.graphs)) {
      for (const { id, when } of nodes) {
        this.#ways.set(`${name}: ${id}`, false);
        if (when !== undefined) this.#ways.set(`${name}: ${id} skipped by when`, false);
      }
    }
  }

  /** The trace of one test. */
  span(): TraceSpan {
    return this.#span({ kind: "", label: "", strategy: "" });
  }

  /** Tells which steps an answer says were skipped or replaced. */
  degraded(steps: readonly string[]): void {
    for (const [way, step] of this.#steps) if (steps.includes(step)) this.#take(way);
  }

  /** Ways that were taken, and those that were not, by name. */
  get ways(): { readonly taken: readonly string[]; readonly missed: readonly string[] } {
    const all = [...this.#ways];
    return { taken: all.flatMap(([way, taken]) => (taken ? [way] : [])), missed: all.flatMap(([way, taken]) => (taken ? [] : [way])) };
  }

  /** Adds what another file's tests took of the same pipeline. */
  join(other: Coverage): void {
    for (const way of other.ways.taken) this.#take(way);
  }

  #substitute(way: string, step: unknown): void {
    this.#ways.set(way, false);
    this.#steps.set(way, String(step));
  }

  #take(way: string): void {
    if (this.#ways.has(way)) this.#ways.set(way, true);
  }

  #span(step: { readonly kind: string; readonly label: string; readonly strategy: string }): TraceSpan {
    // A strategy tells its name to the step that asked it; what it asks in turn belongs to it.
    let strategy = step.strategy;
    let skipped = false;
    return {
      brief: true,
      open: (kind, label) => {
        if (kind === "branch") this.#take(`${strategy} branch ${label}`);
        return this.#span({ kind, label, strategy });
      },
      add: (facts: JsonObject) => {
        if (typeof facts["target"] === "string" && typeof facts["strategy"] === "string") {
          strategy = `${facts["target"]}/${facts["strategy"]}`;
          this.#take(strategy);
        }
        if (typeof facts["skipped"] === "string") {
          skipped = true;
          if (facts["skipped"] === "when") this.#node(step.label, " skipped by when");
        }
      },
      close: () => {
        if (step.kind === "step" && !skipped) this.#node(step.label, "");
      },
    };
  }

  /** Ids of nodes are told without their graph, and a run is of one graph: all that have such a node count. */
  #node(id: string, suffix: string): void {
    for (const way of this.#ways.keys()) if (way.endsWith(`: ${id}${suffix}`)) this.#take(way);
  }
}

function isSubstituted({ onError }: Readonly<Record<string, unknown>>): boolean {
  // A slot is a hole in the configuration: what stands there is a search to use instead.
  return onError !== undefined && onError !== "fail";
}
