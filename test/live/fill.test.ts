import { expect, it } from "vitest";
import type { LiveEvent } from "../../src/live/live-pipelines.ts";
import { LiveFolder } from "./live-folder.ts";

const pipeline = (table: string, branch = 1): string => `version: 1
name: kb
resources:
  db: { sqlite: { file: kb.db } }
  kb: { sqlite.collection: { database: db, table: ${table} } }
ingest:
  kb:
    into: kb
    input: { type: object, required: [id, body], properties: { id: { type: string }, body: { type: string } } }
    id: "\${ input.id }"
    content: "\${ input.body }"
    records: records.jsonl
    fill: true
targets:
  kb:
    default: text
    strategies:
      text: { text: { collection: kb } }
      both: { hybrid: { branches: { text: { weight: ${branch} } } } }
`;

const records = Array.from({ length: 40 }, (_, index) => JSON.stringify({ id: `r${index}`, body: `apples number ${index}` })).join("\n");
const ask = { query: { content: "apples" }, limit: 50 };

function fills(events: readonly LiveEvent[]): number {
  return events.filter((event) => event.kind === "progress" && event.progress.kind === "fill").length;
}

it("a collection is filled before its generation serves, while the old one goes on, and not again when it is carried over", async () => {
  const folder = new LiveFolder({ "pipelines/kb.yaml": pipeline("first"), "pipelines/records.jsonl": records });
  const pipelines = await folder.start();
  const kb = pipelines.get("kb");
  expect((await kb.search(ask)).output?.candidates).toHaveLength(40);
  const before = fills(folder.events);
  expect(before).toBeGreaterThan(0);
  folder.write("pipelines/kb.yaml", pipeline("first", 3));
  await pipelines.reload();
  expect(kb.generation?.number).toBe(2);
  expect(fills(folder.events)).toBe(before);
  // The first word of the filling is told while the old generation serves.
  let during: Promise<number | undefined> | undefined;
  pipelines.subscribe((event) => {
    if (event.kind === "progress" && event.progress.kind === "fill") during ??= kb.search(ask).then(({ output }) => output?.candidates.length);
  });
  folder.write("pipelines/kb.yaml", pipeline("second"));
  await pipelines.reload();
  expect(await during).toBe(40);
  expect(kb.generation?.number).toBe(3);
  expect((await kb.search(ask)).output?.candidates).toHaveLength(40);
});

it("records that cannot be read keep the old generation", async () => {
  const folder = new LiveFolder({ "pipelines/kb.yaml": pipeline("first"), "pipelines/records.jsonl": records });
  const pipelines = await folder.start();
  folder.write("pipelines/records.jsonl", `${records}\n{ broken`);
  folder.write("pipelines/kb.yaml", pipeline("second"));
  const status = await pipelines.reload();
  expect(status.pipelines[0]).toMatchObject({ generation: { number: 1 }, error: { code: "INGEST_INVALID_RECORD" } });
  expect((await pipelines.get("kb").search(ask)).output?.candidates).toHaveLength(40);
});
