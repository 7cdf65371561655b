import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";
import type { LiveEvent, LivePipelines, WatchPipelinesOptions } from "../../src/live/live-pipelines.ts";
import { watchPipelines } from "../../src/live/watch-pipelines.ts";

const cleanups: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A folder of its own for each test, and the pipelines in it. */
export class LiveFolder {
  readonly path: string = realpathSync(mkdtempSync(join(tmpdir(), "ditto-live-")));
  readonly events: LiveEvent[] = [];
  readonly #waiting = new Set<() => void>();

  /** @param files Texts by path in the folder. */
  constructor(files: Readonly<Record<string, string>> = {}) {
    cleanups.push(() => rmSync(this.path, { recursive: true, force: true }));
    for (const [name, text] of Object.entries(files)) this.write(name, text);
  }

  at(name: string): string {
    return join(this.path, name);
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(this.at(name)), { recursive: true });
    writeFileSync(this.at(name), text);
  }

  async start(options: WatchPipelinesOptions = {}, root = "pipelines"): Promise<LivePipelines> {
    const pipelines = await watchPipelines(this.at(root), {
      env: {},
      ...options,
      onEvent: (event) => {
        this.events.push(event);
        for (const look of [...this.#waiting]) look();
      },
    });
    cleanups.push(() => pipelines.close());
    return pipelines;
  }

  /** Resolves with the first event from `from` on that fits, which may have happened already. */
  async next<K extends LiveEvent["kind"]>(
    kind: K,
    fits: (event: Extract<LiveEvent, { readonly kind: K }>) => boolean = () => true,
    from = 0,
  ): Promise<Extract<LiveEvent, { readonly kind: K }>> {
    type Wanted = Extract<LiveEvent, { readonly kind: K }>;
    const find = (): Wanted | undefined => this.events.slice(from).find((event): event is Wanted => event.kind === kind && fits(event as Wanted));
    const found = find();
    if (found !== undefined) return found;
    return new Promise<Wanted>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(look);
        reject(new Error(`No event "${kind}" came; there were ${JSON.stringify(this.events.slice(from).map((event) => event.kind))}`));
      }, longestWaitMs);
      const look = (): void => {
        const event = find();
        if (event === undefined) return;
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve(event);
      };
      this.#waiting.add(look);
    });
  }

  /** How often something happened to a pipeline. */
  count(kind: LiveEvent["kind"], pipeline?: string): number {
    return this.events.filter((event) => event.kind === kind && (pipeline === undefined || ("pipeline" in event && event.pipeline === pipeline))).length;
  }
}

/** Only ends a test that would wait for ever. */
const longestWaitMs = 15_000;

/** A pipeline that answers with a word. */
export function saying(name: string, word: string): string {
  return `version: 1
name: ${name}
graphs:
  say:
    input: { type: object }
    nodes:
      said: { value: ${word} }
    output: "\${ said }"
`;
}

/** What a pipeline of {@link saying} answers. */
export async function said(pipelines: LivePipelines, name: string): Promise<unknown> {
  return pipelines.get(name).run({});
}
