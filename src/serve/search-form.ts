import { closedObject, describedLimit } from "./schema-parts.ts";
import type { JsonSchema } from "../contracts/json-schema.ts";
import type { Plan } from "../pipeline/model/plan.ts";
import { compileDataJudge, type DataFault } from "../validation/compile-data-validator.ts";

/** The body of a search once it is judged. */
export interface SearchBody {
  readonly query: string | { readonly content: unknown; readonly metadata?: Record<string, unknown> };
  readonly target?: string;
  readonly strategy?: string;
  readonly namespace?: string;
  readonly filter?: Readonly<Record<string, unknown>>;
  readonly limit?: number;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** What bodies of searches of one plan must be. */
export interface SearchForm {
  readonly schema: JsonSchema;
  judge(body: unknown): readonly DataFault[];
}

/** The form of a plan's searches; it is made at the first one and kept with the plan. */
export function searchFormOf(plan: Plan): Promise<SearchForm> {
  const known = forms.get(plan);
  if (known !== undefined) return known;
  const form = makeForm(plan);
  forms.set(plan, form);
  return form;
}

const forms = new WeakMap<Plan, Promise<SearchForm>>();

async function makeForm(plan: Plan): Promise<SearchForm> {
  const schema = searchSchema(plan);
  const judge = await compileDataJudge(schema);
  return { schema, judge: (body) => [...judge(body), ...strategyFaults(body, plan)] };
}

/** The JSON Schema of a search's body. */
export function searchSchema({ targets }: Pick<Plan, "targets">): JsonSchema {
  const names = Object.keys(targets);
  const strategies = [...new Set(Object.values(targets).flatMap(({ strategies: own }) => Object.keys(own)))];
  const text: JsonSchema = { type: "string", minLength: 1, pattern: "\\S" };
  const properties = {
    query: {
      description: "What is asked: a text, or its content with metadata.",
      anyOf: [text, closedObject({ content: { description: "A text, a vector of numbers, or what the search understands." }, metadata: object }, ["content"])],
    },
    target: { enum: names, description: names.length === 1 ? "The target; there is one." : "The target." },
    strategy: { enum: strategies, description: "How; the target's default where it is left out." },
    namespace: { type: "string", minLength: 1, description: "The scope's value, for collections with one." },
    filter: { ...object, description: "`{ field: value }` or `{ field: { eq, ne, in, any, all, gt, gte, lt, lte, exists } }`, all of them together." },
    limit: describedLimit,
    options: { ...object, description: "What a search of one's own understands." },
  } satisfies Record<string, JsonSchema>;
  return closedObject(properties, names.length === 1 ? ["query"] : ["query", "target"]);
}

const object: JsonSchema = { type: "object" };

/** Which strategies there are depends on the target. */
function strategyFaults(body: unknown, { targets }: Plan): readonly DataFault[] {
  const { target, strategy } = (typeof body === "object" && body !== null ? body : {}) as Partial<Record<keyof SearchBody, unknown>>;
  const [only] = Object.keys(targets);
  const chosen = targets[typeof target === "string" ? target : (only ?? "")];
  if (chosen === undefined || typeof strategy !== "string" || Object.hasOwn(chosen.strategies, strategy)) return [];
  const isElsewhere = Object.values(targets).some(({ strategies }) => Object.hasOwn(strategies, strategy));
  // A name that no target knows the schema has told of.
  return isElsewhere ? [{ path: "/strategy", message: `must be one of ${Object.keys(chosen.strategies).join(", ")}` }] : [];
}
