import { canonicalJson } from "../base/canonical-json.ts";
import type { InspectorAnswer, InspectorAnswers, InspectorRequest } from "./inspector-data.ts";

/** Keeps the last question of each pipeline with the answers of its two last generations, to show them side by side. */
export class KeptAnswers {
  readonly #byPipeline = new Map<string, { readonly question: string; readonly answer: InspectorAnswer; readonly previous: InspectorAnswer | undefined }>();

  /**
   * Keeps an answer.
   *
   * @returns It, and that of the generation before, where the same was asked.
   */
  keep(pipeline: string, request: InspectorRequest, answer: InspectorAnswer): InspectorAnswers {
    const question = canonicalJson(request);
    const last = this.#byPipeline.get(pipeline);
    const same = last?.question === question ? last : undefined;
    const previous = same?.answer.generation.number === answer.generation.number ? same.previous : same?.answer;
    this.#byPipeline.set(pipeline, { question, answer, previous });
    return previous === undefined ? { answer } : { answer, previous };
  }
}
