import { rmSync } from "node:fs";
import { expect, it } from "vitest";
import type { Generation } from "../../src/live/live-pipelines.ts";
import { LiveFolder, said, saying } from "./live-folder.ts";
import { type ProbeLog, probePlugin, probing } from "./probe-plugin.ts";

const ask = { query: { content: "q" } };

async function startProbes(files: Readonly<Record<string, string>>, options: Parameters<LiveFolder["start"]>[0] = {}) {
  const { plugin, log } = probePlugin();
  const folder = new LiveFolder(files);
  const pipelines = await folder.start({ plugins: [plugin], ...options });
  return { folder, pipelines, log };
}

function open(log: ProbeLog): readonly number[] {
  return log.opened.filter(({ closed }) => !closed).map(({ number }) => number);
}

it("a weight's edit takes connections over: the same object, unchecked and open", async () => {
  const { folder, pipelines, log } = await startProbes({ "pipelines/a.yaml": probing("a") });
  const before = await pipelines.get("a").use(async ({ pipeline }) => pipeline.resource("db"));
  folder.write("pipelines/a.yaml", probing("a", { weight: 7 }));
  await pipelines.reload();
  const after = await pipelines.get("a").use(async ({ pipeline }) => pipeline.resource("db"));
  expect(after).toBe(before);
  expect(log.opened).toHaveLength(1);
  expect(log.checked).toHaveLength(1);
  expect((await pipelines.get("a").search(ask)).output?.candidates[0]?.score).toBe(7);
  const switched = await folder.next("switched", ({ generation }) => generation.number === 2);
  expect(switched).toMatchObject({ opened: [], carried: ["resources.db"], previous: { number: 1 }, changed: [folder.at("pipelines/a.yaml")] });
});

it("a changed connection is opened beside the old one, which closes when its last call has ended", async () => {
  const { folder, pipelines, log } = await startProbes({ "pipelines/a.yaml": probing("a") });
  let go = (): void => {};
  const until = new Promise<void>((resolve) => {
    go = resolve;
  });
  const generations: Generation[] = [];
  const a = pipelines.get("a");
  const running = a.search({ ...ask, options: { until } }, { onGeneration: (generation) => generations.push(generation) });
  folder.write("pipelines/a.yaml", probing("a", { address: "there" }));
  await pipelines.reload();
  expect(a.generation?.number).toBe(2);
  expect(open(log)).toEqual([1, 2]);
  expect(pipelines.status().pipelines[0]?.draining).toMatchObject([{ generation: { number: 1 }, running: 1 }]);
  const next = await a.search(ask, { onGeneration: (generation) => generations.push(generation) });
  expect(next.output?.candidates[0]?.id).toBe("there#2");
  go();
  expect((await running).output?.candidates[0]?.id).toBe("here#1");
  await folder.next("drained");
  expect(open(log)).toEqual([2]);
  expect(generations.map(({ number }) => number)).toEqual([1, 2]);
  expect(new Set(generations.map(({ hash }) => hash)).size).toBe(2);
});

it("calls that take longer than they may are ended with a code, counted, and lose their resources", async () => {
  const { folder, pipelines, log } = await startProbes({ "pipelines/a.yaml": probing("a") }, { drainMs: 20 });
  const calls = ["forever", "deaf"].map((content) => pipelines.get("a").search({ query: { content } }));
  folder.write("pipelines/a.yaml", probing("a", { address: "there" }));
  await pipelines.reload();
  for (const call of calls) await expect(call).rejects.toMatchObject({ code: "PIPELINE_DRAINED" });
  expect(await folder.next("drained")).toMatchObject({ pipeline: "a", generation: { number: 1 }, ended: 2, error: undefined });
  expect(open(log)).toEqual([2]);
});

it("whatever is wrong keeps the old one serving, is told with its diagnostics, and the next good save repairs it", async () => {
  const { folder, pipelines, log } = await startProbes({ "pipelines/a.yaml": probing("a"), "pipelines/b.yaml": probing("b", { address: "b" }) });
  const wrong: readonly (readonly [string, string])[] = [
    ["PIPELINE_INVALID", probing("a").replace("connection: db", "conection: db")],
    ["PIPELINE_INVALID", ""],
    ["PIPELINE_INVALID", "version: ["],
    ["PIPELINE_NOT_OPEN", probing("a", { address: "ill" })],
    ["PIPELINE_NAME_TAKEN", probing("b")],
  ];
  log.ill.add("ill");
  for (const [code, text] of wrong) {
    const from = folder.events.length;
    folder.write("pipelines/a.yaml", text);
    const status = await pipelines.reload();
    expect(status.pipelines[0]).toMatchObject({ name: "a", error: { code }, generation: { number: 1 } });
    const failed = await folder.next("failed", () => true, from);
    expect(failed.error.code).toBe(code);
    if (code !== "PIPELINE_NAME_TAKEN") expect(failed.diagnostics.length).toBeGreaterThan(0);
    expect((await pipelines.get("a").search(ask)).output?.candidates[0]?.id).toMatch(/^here#/u);
  }
  folder.write("pipelines/a.yaml", probing("a", { weight: 3 }));
  expect((await pipelines.reload()).pipelines[0]).toMatchObject({ error: undefined, diagnostics: [], generation: { number: 2 } });
  expect((await pipelines.get("b").search(ask)).status).toBe("success");
  expect(pipelines.get("b").generation?.number).toBe(1);
  await folder.next("drained", ({ pipeline }) => pipeline === "a");
  expect(log.opened.flatMap(({ closed, address }) => (closed ? [] : [address])).sort()).toEqual(["b", "here"]);
  expect(pipelines.status().resources).toBe(2);
});

it("what failed for a reason outside the files is tried again by hand", async () => {
  const { folder, pipelines, log } = await startProbes({ "pipelines/a.yaml": probing("a") });
  log.ill.add("there");
  folder.write("pipelines/a.yaml", probing("a", { address: "there" }));
  expect((await pipelines.reload()).pipelines[0]?.error?.code).toBe("PIPELINE_NOT_OPEN");
  log.ill.clear();
  expect((await pipelines.reload()).pipelines[0]).toMatchObject({ error: undefined, generation: { number: 2 } });
});

it("what failed for a reason outside the files is tried again by itself while watching, and told once", async () => {
  const { folder, pipelines, log } = await startProbes({ "pipelines/a.yaml": probing("a") }, { watch: { polling: true, intervalMs: 50 } });
  log.ill.add("there");
  folder.write("pipelines/a.yaml", probing("a", { address: "there" }));
  await folder.next("failed");
  log.ill.clear();
  await folder.next("switched", ({ generation }) => generation.number === 2);
  expect((await pipelines.get("a").search(ask)).output?.candidates[0]?.id).toMatch(/^there#/u);
  expect(folder.count("failed")).toBe(1);
});

it("a save repairs one whose resource does not open at all", async () => {
  const { folder, pipelines, log } = await startProbes({ "pipelines/a.yaml": probing("a") }, { watch: { polling: true, intervalMs: 50 } });
  log.hanging.add("nowhere");
  const hangs = new Promise<void>((resolve) => {
    log.onOpen = (address) => address === "nowhere" && resolve();
  });
  folder.write("pipelines/a.yaml", probing("a", { address: "nowhere" }));
  await hangs;
  folder.write("pipelines/a.yaml", probing("a", { weight: 5 }));
  await folder.next("switched", ({ generation }) => generation.number === 2);
  expect((await pipelines.get("a").search(ask)).output?.candidates[0]?.score).toBe(5);
  expect(folder.count("failed")).toBe(0);
});

it("pipelines that include one file share what it opens, and keep it while one of them is edited or removed", async () => {
  const shared = `resources:
  db: { probe: { address: shared } }
`;
  const one = (name: string, weight: number): string => probing(name, { weight }).replace(/resources:\n.*\n/u, "include: [shared/db.yaml]\n");
  const { folder, pipelines, log } = await startProbes({
    "pipelines/shared/db.yaml": shared,
    "pipelines/a.yaml": one("a", 1),
    "pipelines/b.yaml": one("b", 1),
  });
  expect(pipelines.names).toEqual(["a", "b"]);
  expect(log.opened).toHaveLength(1);
  folder.write("pipelines/a.yaml", one("a", 2));
  await pipelines.reload();
  expect(pipelines.get("b").generation?.number).toBe(1);
  rmSync(folder.at("pipelines/a.yaml"));
  await pipelines.reload();
  expect(pipelines.names).toEqual(["b"]);
  expect(open(log)).toEqual([1]);
  folder.write("pipelines/shared/db.yaml", shared.replace("shared }", "other }"));
  await pipelines.reload();
  expect((await pipelines.get("b").search(ask)).output?.candidates[0]?.id).toBe("other#2");
  await folder.next("drained", ({ pipeline }) => pipeline === "b");
  expect(open(log)).toEqual([2]);
});

it("two files may exchange their names, and a handle follows the name", async () => {
  const folder = new LiveFolder({ "pipelines/1.yaml": saying("a", "first"), "pipelines/2.yaml": saying("b", "second") });
  const pipelines = await folder.start();
  const a = pipelines.get("a");
  folder.write("pipelines/1.yaml", saying("b", "first"));
  folder.write("pipelines/2.yaml", saying("a", "second"));
  await pipelines.reload();
  expect(await a.run({})).toBe("second");
  expect(await said(pipelines, "b")).toBe("first");
  expect(a.generation?.number).toBe(2);
});

it("sessions that are kept in memory outlive a weight's edit", async () => {
  const text = (limit: number): string => `version: 1
name: chat
vars: { limit: ${limit} }
resources:
  sessions: { memory: {} }
context: { store: sessions }
graphs:
  limit:
    input: { type: object }
    nodes: { limit: { value: "\${ vars.limit }" } }
    output: "\${ limit }"
`;
  const folder = new LiveFolder({ "pipelines/chat.yaml": text(1) });
  const pipelines = await folder.start();
  const store = await pipelines.get().use(async ({ pipeline }) => pipeline.resource("sessions"));
  folder.write("pipelines/chat.yaml", text(2));
  folder.write("ditto.yaml", "runtime: { loopMaxIterations: 7 }\n");
  await pipelines.reload();
  expect(await pipelines.get().run({})).toBe(2);
  expect(await pipelines.get().use(async ({ pipeline }) => pipeline.resource("sessions"))).toBe(store);
});

it("an application's own object stays the same resource, and is never closed", async () => {
  const probe = { address: "mine", number: 0, closed: false };
  const { folder, pipelines, log } = await startProbes({ "pipelines/a.yaml": probing("a") }, { resources: { db: probe } });
  folder.write("pipelines/a.yaml", probing("a", { weight: 2 }));
  await pipelines.reload();
  expect((await pipelines.get("a").search(ask)).output?.candidates[0]).toMatchObject({ id: "mine#0", score: 2 });
  await pipelines.close();
  expect(probe.closed).toBe(false);
  expect(log.opened).toEqual([]);
});

it("several calls of one use see one generation", async () => {
  const folder = new LiveFolder({ "pipelines/a.yaml": saying("a", "old") });
  const pipelines = await folder.start();
  const words = await pipelines.get("a").use(async ({ pipeline, generation }) => {
    const before = await pipeline.run({});
    folder.write("pipelines/a.yaml", saying("a", "new"));
    await pipelines.reload();
    return [before, await pipeline.run({}), generation.number];
  });
  expect(words).toEqual(["old", "old", 1]);
  expect(await said(pipelines, "a")).toBe("new");
});

it("starts with what is right where it may, and refuses otherwise", async () => {
  const folder = new LiveFolder({ "pipelines/a.yaml": saying("a", "x"), "pipelines/b.yaml": "graphs: {" });
  await expect(folder.start()).rejects.toMatchObject({ code: "PIPELINE_INVALID" });
  const pipelines = await folder.start({ allowInvalid: true });
  expect(pipelines.names).toEqual(["a"]);
  expect(pipelines.status().pipelines.map(({ name, error }) => [name, error?.code])).toEqual([
    ["a", undefined],
    [undefined, "PIPELINE_INVALID"],
  ]);
  folder.write("pipelines/b.yaml", saying("b", "y"));
  await pipelines.reload();
  expect(await said(pipelines, "b")).toBe("y");
});

it("a file that is named needs no folder around it", async () => {
  const folder = new LiveFolder({ "one.yaml": saying("one", "x"), "two.yaml": saying("two", "y") });
  const pipelines = await folder.start({}, "one.yaml");
  expect(pipelines.names).toEqual(["one"]);
  expect(await pipelines.get().run({})).toBe("x");
});

it("tells what is not there", async () => {
  const folder = new LiveFolder({ "pipelines/a.yaml": saying("a", "x"), "pipelines/b.yaml": saying("b", "y") });
  const pipelines = await folder.start();
  const a = pipelines.get("a");
  expect(() => pipelines.get("c")).toThrow(expect.objectContaining({ code: "PIPELINE_UNKNOWN" }));
  expect(() => pipelines.get()).toThrow(expect.objectContaining({ code: "PIPELINE_NEEDED" }));
  rmSync(folder.at("pipelines/a.yaml"));
  await pipelines.reload();
  await expect(a.run({})).rejects.toMatchObject({ code: "PIPELINE_UNKNOWN" });
  expect(a.generation).toBeUndefined();
  await pipelines.close();
  await expect(pipelines.reload()).rejects.toMatchObject({ code: "PIPELINE_CLOSED" });
  await expect(a.run({})).rejects.toMatchObject({ code: "PIPELINE_CLOSED" });
});

it("equal files have equal hashes in two processes, and no secret is in them", async () => {
  const text = probing("a").replace("address: here", 'address: "${file:../secret}"');
  const starts = ["one", "two"].map((secret) => startProbes({ "pipelines/a.yaml": text, secret }));
  const [first, second] = await Promise.all(starts);
  expect(first?.pipelines.get("a").generation?.hash).toBe(second?.pipelines.get("a").generation?.hash);
});

it("no request fails or mixes two versions while weights and connections are edited", async () => {
  const { folder, pipelines, log } = await startProbes({ "pipelines/a.yaml": probing("a") });
  const weightOf = new Map<number, unknown>();
  let editing = true;
  const asking = Array.from({ length: 8 }, async () => {
    let asked = 0;
    while (editing || asked === 0) {
      let number = 0;
      const { status, output } = await pipelines.get("a").search(ask, { onGeneration: (generation) => (number = generation.number) });
      expect(status).toBe("success");
      const weight = output?.candidates[0]?.score;
      expect(weightOf.get(number) ?? weight).toBe(weight);
      weightOf.set(number, weight);
      asked += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
  for (let weight = 2; weight <= 25; weight += 1) {
    folder.write("pipelines/a.yaml", probing("a", { weight, address: weight % 3 === 0 ? "there" : "here" }));
    await pipelines.reload();
  }
  editing = false;
  await Promise.all(asking);
  expect(pipelines.get("a").generation?.number).toBe(25);
  await folder.next("drained", ({ generation }) => generation.number === 24);
  expect(open(log)).toHaveLength(1);
});
