import { isCodedError } from "../contracts/coded-error.ts";
import type { JsonObject } from "../contracts/json.ts";
import type { RetrievalSearchInput } from "../contracts/retrieval.ts";
import type { SearchAgain } from "../contracts/trace.ts";
import type { MissingReason } from "./missing-reason.ts";
import { hitsOf } from "./step-hits.ts";
import type { RecordedStep } from "./trace-recorder.ts";

/** How far a search is asked for a document that it did not bring. */
const furthest = 10_000;

/**
 * Says why a search did not bring a document, by asking it once more: further, and then without the filter.
 *
 * @param step The search as it was recorded.
 * @param at The document, the step's names, and whether other steps stand above, whose pool is then the limit that counts.
 */
export async function leafReason(
  step: RecordedStep,
  { id, path, composed }: { readonly id: string; readonly path: string; readonly composed: boolean },
): Promise<MissingReason> {
  const { again } = step;
  const brought = hitsOf(step).length;
  const reason = (code: MissingReason["code"], text: string, facts: JsonObject): MissingReason => ({ code, step: path, text, facts });
  if (again === undefined) return reason("not-found", `it is none of the ${brought} candidates that this search brings`, { candidates: brought });
  const { input } = again;
  const limit = input.limit ?? brought;
  const rank = await rankOf(again, { ...input, limit: furthest }, id);
  if (rank !== undefined && composed)
    return reason("beyond-pool", `it is found at rank ${rank}, and the ${limit} best are candidates: a greater candidateLimit lets it in`, { rank, limit });
  if (rank !== undefined) return reason("beyond-limit", `it comes at rank ${rank}, and ${limit} are asked for`, { rank, limit });
  const conditions = await excludingConditions(again, id);
  if (conditions.length > 0) {
    const filter = Object.fromEntries(conditions.map((field) => [field, input.filter?.[field] as never]));
    return reason("filtered", `the filter leaves it out by ${conditions.map((field) => `"${field}"`).join(", ")}`, { filter });
  }
  return reason("not-found", notFoundText(step.label), { candidates: brought });
}

/** The fields of the filter whose condition alone leaves a document out; all of them where only together they do. */
async function excludingConditions(again: SearchAgain, id: string): Promise<readonly string[]> {
  const { filter, ...bare } = again.input;
  const fields = Object.keys(filter ?? {});
  if (filter === undefined || fields.length === 0) return [];
  if ((await rankOf(again, { ...bare, limit: furthest }, id)) === undefined) return [];
  const excluding: string[] = [];
  for (const field of fields) {
    if ((await rankOf(again, { ...bare, filter: { [field]: filter[field] }, limit: furthest }, id)) === undefined) excluding.push(field);
  }
  return excluding.length > 0 ? excluding : fields;
}

/** A search that refuses the question says nothing about the document. */
async function rankOf(again: SearchAgain, input: RetrievalSearchInput, id: string): Promise<number | undefined> {
  try {
    const { candidates } = await again.ask(input);
    const index = candidates.findIndex((candidate) => (candidate.id ?? candidate.source?.ref) === id);
    return index < 0 ? undefined : index + 1;
  } catch (error) {
    if (isCodedError(error, "retrieval") && error.code !== "RETRIEVAL_CANCELLED") return undefined;
    throw error;
  }
}

function notFoundText(label: string): string {
  if (label === "text") return "no word of the query is in it";
  if (label === "vector") return `it has no vector, or is none of the ${furthest} nearest`;
  return "this search does not find it, however far it is asked";
}
