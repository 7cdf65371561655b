import { isRecord } from "../base/is-record.ts";
import type { JsonObject, JsonValue } from "../contracts/json.ts";
import type { MissingReason } from "./missing-reason.ts";
import { hitsOf, placeOf } from "./step-hits.ts";
import type { RecordedStep, TraceStep } from "./trace-recorder.ts";

/**
 * Says why a step left out a document that a step below brought.
 *
 * @param step The step.
 * @param at The document, the step's names, the step below that brought it, and the step of the whole search.
 */
export function droppedReason(
  step: RecordedStep,
  at: { readonly id: string; readonly path: string; readonly below: TraceStep; readonly whole: TraceStep },
): MissingReason {
  const { id, path, below } = at;
  const reason = (code: MissingReason["code"], text: string, facts: JsonObject): MissingReason => ({ code, step: path, text, facts });
  const kept = hitsOf(step).length;
  const place = placeOf(below, id);
  const refused = entry(step, "where", id);
  if (refused !== undefined) return reason("below-floor", `its \`where\` does not hold${scoreText(refused)}`, { ...refused });
  const grouped = entry(step, "group", id);
  if (grouped !== undefined) return groupReason(step, { grouped, ...at });
  if (entry(step, "gone", id) !== undefined) return reason("gone", "its whole record is gone from the collection that completes it", {});
  const beyond = entry(step, "beyond", id);
  if (beyond !== undefined) {
    const rank = Number(beyond["rank"]);
    return reason("beyond-limit", `it comes at rank ${rank}, and ${kept} are asked for`, { rank, limit: kept });
  }
  const fused = placeOf(step, id, "fused");
  if (fused !== undefined)
    return reason("beyond-limit", `it is fused to rank ${fused.rank}, and ${kept} are asked for`, {
      rank: fused.rank,
      limit: kept,
      score: fused.score ?? null,
    });
  if (step.label === "rerank")
    return reason("reranked-below", `it comes to the reranker at rank ${place?.rank}, and is not among the ${kept} that the reranker puts first`, {
      rank: place?.rank ?? null,
      limit: kept,
    });
  if (place !== undefined && place.rank > kept)
    return reason("beyond-limit", `it comes at rank ${place.rank}, and ${kept} are asked for`, { rank: place.rank, limit: kept });
  return reason("left-out", "this step leaves it out", {});
}

function groupReason(
  step: RecordedStep,
  { grouped, path, whole }: { readonly grouped: Readonly<Record<string, JsonValue>>; readonly path: string; readonly whole: TraceStep },
): MissingReason {
  const key = String(grouped["key"]);
  const groups = step.facts["group"] as readonly Readonly<Record<string, JsonValue>>[];
  const first = String(groups.find((other) => other["key"] === key)?.["id"]);
  const rank = placeOf(whole, key)?.rank;
  const where = rank === undefined ? "which is not in the answer either" : `which is at rank ${rank}`;
  const text = grouped["first"] === true ? `it stands for its group "${key}", ${where}` : `"${first}" stands for its group "${key}", ${where}`;
  return { code: "deduplicated", step: path, text, facts: { key, first, rank: rank ?? null } };
}

function entry({ facts }: TraceStep, name: string, id: string): Readonly<Record<string, JsonValue>> | undefined {
  const list = facts[name];
  const found = Array.isArray(list) ? (list as readonly unknown[]).find((value) => isRecord(value) && value["id"] === id) : undefined;
  return found as Readonly<Record<string, JsonValue>> | undefined;
}

function scoreText({ score }: Readonly<Record<string, JsonValue>>): string {
  return typeof score === "number" ? `: its score there is ${Number(score.toPrecision(4))}` : "";
}
