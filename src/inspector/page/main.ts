import type { InspectorAnswers, InspectorRequest, InspectorState, PipelineState } from "../inspector-data.ts";
import { byId, fill } from "./element.ts";
import { QuestionForm } from "./question-form.ts";
import { server } from "./server.ts";
import { showCompare } from "./show-compare.ts";
import { markParts, showPicture } from "./show-picture.ts";
import { showAbout, showPipelines } from "./show-pipelines.ts";
import { showProblems } from "./show-problems.ts";
import { plainHits, showResults } from "./show-results.ts";
import { showTrace } from "./show-trace.ts";
import { showWeights } from "./show-weights.ts";
import { showWhy } from "./show-why.ts";

/** The page: it holds what is chosen, asks the server, and shows what comes back. */
class Page {
  readonly #form: QuestionForm = new QuestionForm(() => this.#ask());
  #state: InspectorState = { folder: "", watching: false, pipelines: [] };
  #chosen: string | undefined = decodeURIComponent(location.hash.slice(1)) || undefined;
  /** What was asked last of the chosen pipeline, and what generation answered. */
  #last: { readonly request: InspectorRequest; readonly answers: InspectorAnswers } | undefined;
  #asked = 0;
  #drawn = "";

  async start(): Promise<void> {
    await this.#refresh();
    const events = new EventSource("api/events");
    events.addEventListener("changed", () => void this.#refresh());
    events.addEventListener("ready", () => void this.#refresh());
    events.addEventListener("error", () => this.#tellLive("The server does not answer"));
  }

  /** Reads how everything stands; a new generation is asked the last question at once. */
  async #refresh(): Promise<void> {
    this.#state = await server.state();
    const { folder, pipelines, watching } = this.#state;
    byId("folder").textContent = folder;
    this.#tellLive(watching ? "Watching for changes" : "");
    if (!pipelines.some(({ path }) => path === this.#chosen))
      this.#chosen = (pipelines.find(({ generation }) => generation !== undefined) ?? pipelines[0])?.path;
    await this.#show();
    const now = this.#pipeline()?.generation?.number;
    if (this.#last !== undefined && now !== undefined && now !== this.#last.answers.answer.generation.number) this.#ask();
  }

  #pipeline(): PipelineState | undefined {
    return this.#state.pipelines.find(({ path }) => path === this.#chosen);
  }

  async #show(): Promise<void> {
    showPipelines(this.#state, { chosen: this.#chosen, choose: (path) => void this.#choose(path) });
    const pipeline = this.#pipeline();
    if (pipeline === undefined) return;
    showAbout(pipeline);
    showProblems(pipeline);
    this.#form.offer(pipeline);
    await this.#draw(pipeline);
  }

  async #choose(path: string): Promise<void> {
    this.#chosen = path;
    this.#last = undefined;
    history.replaceState(undefined, "", `#${encodeURIComponent(path)}`);
    for (const id of ["results", "weights", "why", "trace", "compare", "message"]) fill(id);
    await this.#show();
    this.#ask();
  }

  async #draw({ path, name, generation }: PipelineState): Promise<void> {
    const drawing = `${path} ${generation?.number}`;
    if (drawing === this.#drawn) return;
    this.#drawn = drawing;
    if (name === undefined || generation === undefined) fill("picture");
    else {
      byId("picture").hidden = false;
      showPicture(await server.picture(name));
    }
  }

  #ask(): void {
    this.#asked += 1;
    void this.#search(this.#asked).catch((error: unknown) => this.#fail(error));
  }

  async #search(own: number): Promise<void> {
    const pipeline = this.#pipeline();
    const request = this.#form.read();
    if (request === undefined || pipeline?.name === undefined || pipeline.generation === undefined) return;
    const { name } = pipeline;
    const answers = await server.search(name, request);
    if (own !== this.#asked) return;
    this.#last = { request, answers };
    byId("message").hidden = true;
    const { answer, previous } = answers;
    if (answer.fusion?.isWhole !== true) showResults(answer, plainHits(answer), { isTried: false });
    showWeights({
      answer,
      show: (hits, isTried) => showResults(answer, hits, { isTried }),
      yaml: (weights) => server.weights(name, { target: answer.target, strategy: answer.strategy, weights }),
    });
    showWhy((id) => server.explain(name, { ...request, id }));
    showTrace(answer);
    showCompare(answer, previous);
    markParts(answer);
  }

  #fail(error: unknown): void {
    const message = byId("message");
    message.textContent = error instanceof Error ? error.message : String(error);
    message.hidden = false;
  }

  #tellLive(text: string): void {
    const live = byId("live");
    if (live.textContent !== text) live.textContent = text;
  }
}

void new Page().start();
