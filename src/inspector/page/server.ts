import type { IdExplanation } from "../../explain/explain-id.ts";
import type { InspectorAnswers, InspectorRequest, InspectorState } from "../inspector-data.ts";
import type { WeightsYaml } from "../weights-yaml.ts";

/** What the server refused or could not do. */
class ServerError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Asks the server that the page came from. */
export const server = {
  state: (): Promise<InspectorState> => read("api/state"),
  picture: async (name: string): Promise<string> => (await fetch(`${pipelinePath(name)}/picture`)).text(),
  search: (name: string, request: InspectorRequest): Promise<InspectorAnswers> => send(`${pipelinePath(name)}/search`, request),
  explain: (name: string, request: InspectorRequest & { readonly id: string }): Promise<IdExplanation> => send(`${pipelinePath(name)}/explain`, request),
  weights: (
    name: string,
    asked: { readonly target: string; readonly strategy: string; readonly weights: Readonly<Record<string, number>> },
  ): Promise<WeightsYaml> => send(`${pipelinePath(name)}/weights`, asked),
};

function pipelinePath(name: string): string {
  return `api/pipelines/${encodeURIComponent(name)}`;
}

async function read<T>(path: string): Promise<T> {
  return answerOf(await fetch(path));
}

async function send<T>(path: string, body: object): Promise<T> {
  return answerOf(await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }));
}

async function answerOf<T>(response: Response): Promise<T> {
  const body: unknown = await response.json();
  if (response.ok) return body as T;
  const { error } = body as { readonly error?: { readonly code: string; readonly message: string } };
  throw new ServerError(error?.code ?? String(response.status), error?.message ?? response.statusText);
}
