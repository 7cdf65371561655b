import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../src/contracts/json.ts";
import { definePlugin } from "../../src/plugin/define-plugin.ts";
import { createDitto } from "../../src/runtime/create-ditto.ts";
import { defineDynamicNode } from "../../src/worker/define-node.ts";
import { defineWorker } from "../../src/worker/define-worker.ts";
import { judgeText, loadText } from "../kinds/support/load-text.ts";
import { workerServer } from "../kinds/support/worker-server.ts";

/** What the worker of a test was asked, in order: `begin NAME` and `end NAME`. */
interface Log {
  readonly steps: string[];
}

/** A plugin whose worker waits, fails or gives back what it is asked. */
function plugin(log: Log) {
  const object = { type: "object" } as const;
  const worker = defineWorker({
    type: "TEST",
    nodes: {
      "TEST.DO": defineDynamicNode("TEST", "TEST.DO", async (input, context) => {
        const { name, waitMs = 0, fail } = input as { readonly name: string; readonly waitMs?: number; readonly fail?: string };
        log.steps.push(`begin ${name}`);
        await new Promise<void>((resolve, reject) => {
          const timer = setTimeout(resolve, waitMs);
          context.signal?.addEventListener("abort", () => {
            clearTimeout(timer);
            log.steps.push(`abort ${name}`);
            reject(context.signal?.reason);
          });
        });
        if (fail !== undefined) throw Object.assign(new Error("it fails"), { code: fail });
        log.steps.push(`end ${name}`);
        return { name, worker: context.worker.workerId };
      }),
    },
  });
  return {
    worker,
    plugin: definePlugin({
      name: "test",
      apiVersion: 1,
      nodes: {
        "TEST.DO": {
          input: {
            type: "object",
            required: ["name"],
            additionalProperties: false,
            properties: { name: { type: "string" }, waitMs: { type: "number" }, fail: { type: "string" } },
          },
          output: {
            type: "object",
            required: ["name", "worker"],
            additionalProperties: false,
            properties: { name: { type: "string" }, worker: { type: "string" } },
          },
        },
      },
      kinds: [{ kind: "test", role: "worker", summary: "Does what it is told.", schema: object, example: {}, open: async () => ({ value: worker }) }],
    }),
  };
}

async function run(graphs: string, input: JsonValue = {}, graph?: string) {
  const log: Log = { steps: [] };
  const pipeline = await loadText(`version: 1\nname: graphs\nresources: { doer: { test: {} } }\ngraphs:\n${graphs}`, { plugins: [plugin(log).plugin] });
  return { output: await pipeline.run(input, { graph }), steps: log.steps };
}

describe("graphs", () => {
  it("are several, by name, each with its own input", async () => {
    const graphs = `  double: { input: { type: object, required: [n], properties: { n: { type: number } } }, nodes: { twice: { value: "\${ input.n * 2 }" } }, output: "\${ twice }" }
  hello: { nodes: { text: { value: "hello \${ input.name }" } }, output: { said: "\${ text }" } }
`;
    expect((await run(graphs, { n: 4 }, "double")).output).toBe(8);
    expect((await run(graphs, { name: "Ada" }, "hello")).output).toEqual({ said: "hello Ada" });
    await expect(run(graphs, { n: "x" }, "double")).rejects.toMatchObject({ code: "PIPELINE_INVALID_INPUT" });
    await expect(run(graphs, {})).rejects.toMatchObject({ code: "PIPELINE_GRAPH_NEEDED" });
    await expect(run(graphs, {}, "dubble")).rejects.toMatchObject({ code: "PIPELINE_GRAPH_UNKNOWN" });
  });

  it("order their nodes by what they read, whatever the order of the file", async () => {
    const { output } = await run(
      `  chain:
    nodes:
      last: { value: "\${ middle + 1 }" }
      middle: { value: "\${ first * 10 }" }
      first: { value: "\${ input.n }" }
    output: "\${ last }"
`,
      { n: 4 },
    );
    expect(output).toBe(41);
  });

  it("run nodes at the same time that do not wait for each other, and `after` makes one wait", async () => {
    const nodes = (after: string) => `  both:
    nodes:
      a: { node: TEST.DO, input: { name: a, waitMs: 40 } }
      b: { node: TEST.DO, input: { name: b }${after} }
    output: ["\${ a.name }", "\${ b.name }"]
`;
    expect((await run(nodes(""))).steps).toEqual(["begin a", "begin b", "end b", "end a"]);
    expect((await run(nodes(", after: [a]"))).steps).toEqual(["begin a", "end a", "begin b", "end b"]);
  });

  it("skip a node whose `when` is false: it is absent to its readers, and they run", async () => {
    const graph = `  maybe:
    nodes:
      first: { node: TEST.DO, when: "\${ input.go }", input: { name: first } }
      second: { node: TEST.DO, input: { name: "\${ coalesce(first.?name, 'nobody') } was first" } }
    output: { first: "\${ first.?name }", second: "\${ second.name }" }
`;
    expect(await run(graph, { go: true })).toEqual({
      output: { first: "first", second: "first was first" },
      steps: ["begin first", "end first", "begin second".replace("second", "first was first"), "end first was first"],
    });
    expect((await run(graph, { go: false })).output).toEqual({ second: "nobody was first" });
  });

  it("fail with the code of a node that fails, and nothing new starts", async () => {
    const log: Log = { steps: [] };
    const pipeline = await loadText(
      `version: 1
name: graphs
resources:
  doer: { test: {} }
  db: { sqlite: { file: a.db } }
  kb: { sqlite.collection: { database: db, fields: { lang: { type: string } } } }
memory: { store: kb }
graphs:
  failing:
    nodes:
      found: { node: MEMORY.QUERY, input: { filter: { language: en } } }
      then: { node: TEST.DO, after: [found], input: { name: then } }
    output: 1
`,
      { plugins: [plugin(log).plugin] },
    );
    await expect(pipeline.run({})).rejects.toMatchObject({ code: "INVALID_FILTER" });
    expect(log.steps).toEqual([]);
  });

  it("go on where a node may fail: it is absent as a whole", async () => {
    const graph = `  tolerant:
    nodes:
      risky: { node: TEST.DO, allowFailure: true, input: { name: risky, fail: BROKEN } }
      late: { node: TEST.DO, allowFailure: true, timeoutMs: 30, input: { name: late, waitMs: 5000 } }
      sure: { node: TEST.DO, after: [risky, late], input: { name: sure } }
    output: { risky: "\${ risky.?name }", late: "\${ late.?name }", sure: "\${ sure.name }" }
`;
    const { output, steps } = await run(graph);
    expect(output).toEqual({ sure: "sure" });
    expect(steps).toContain("abort late");
  });

  it("end a node at its deadline", async () => {
    await expect(run("  slow: { nodes: { late: { node: TEST.DO, timeoutMs: 30, input: { name: late, waitMs: 5000 } } }, output: 1 }\n")).rejects.toMatchObject({
      code: "PIPELINE_NODE_TIMEOUT",
    });
  });

  it("end with the caller's signal", async () => {
    const log: Log = { steps: [] };
    const pipeline = await loadText(
      "version: 1\nname: g\nresources: { doer: { test: {} } }\ngraphs: { slow: { nodes: { late: { node: TEST.DO, input: { name: late, waitMs: 5000 } } }, output: 1 } }\n",
      { plugins: [plugin(log).plugin] },
    );
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 30);
    await expect(pipeline.run({}, { signal: controller.signal })).rejects.toMatchObject({ code: "CANCELLED" });
    expect(log.steps).toEqual(["begin late", "abort late"]);
  });

  it("choose the worker of a node by the name of its resource, also one in another process", async () => {
    const log: Log = { steps: [] };
    const { plugin: own, worker } = plugin(log);
    const server = await workerServer([worker]);
    const pipeline = await loadText(
      `version: 1
name: g
resources:
  one: { test: {} }
  two: { test: {} }
  far: { remote-worker: { url: "${server.url}", token: "${server.token}", nodes: [TEST.DO] } }
graphs:
  chosen:
    nodes:
      a: { node: TEST.DO, worker: two, input: { name: a } }
      b: { node: TEST.DO, worker: one, input: { name: b } }
      c: { node: TEST.DO, worker: far, input: { name: c } }
    output: ["\${ a.worker }", "\${ b.worker }", "\${ c.worker }"]
`,
      { plugins: [own] },
    );
    expect(await pipeline.run({})).toEqual(["two", "one", "TEST"]);
    expect(server.calls).toEqual(["TEST.DO"]);
  });
});

describe("a repeated graph", () => {
  const counting = (more = "", until = "output.n >= 5") => `  count:
    input: { type: object, required: [n], properties: { n: { type: number } } }
    nodes: { next: { value: "\${ input.n + 1 }" } }
    output: { n: "\${ next }" }
    repeat: { until: "\${ ${until} }"${more} }
`;

  it("feeds its output in as the next input until the condition holds, at least once", async () => {
    expect((await run(counting(), { n: 0 })).output).toEqual({ n: 5 });
    expect((await run(counting(), { n: 9 })).output).toEqual({ n: 10 });
    expect((await run(counting("", "output.n - input.n < 1 || output.n > 3"), { n: 0 })).output).toEqual({ n: 4 });
  });

  it("fails at its limit, and at the Runtime's where it has none", async () => {
    await expect(run(counting(", max: 3"), { n: 0 })).rejects.toMatchObject({ code: "LOOP_LIMIT_REACHED" });
    await expect(run(counting("", "output.n >= 50"), { n: 0 })).rejects.toMatchObject({ code: "LOOP_LIMIT_REACHED" });
  });

  it("is held against the input's schema in each round, where only a value can tell", async () => {
    const graph = counting("", "output.n > 30").replace("n: { type: number }", "n: { type: number, maximum: 3 }");
    await expect(run(graph, { n: 0 })).rejects.toMatchObject({ code: "PIPELINE_INVALID_INPUT", message: expect.stringContaining('The next input of "count"') });
  });

  it("is told before it runs where its output cannot be its next input", async () => {
    const text = (graph: string) => `version: 1\nname: g\ngraphs:\n${graph}`;
    expect(await judgeText(text(counting()))).toEqual([]);
    expect(await judgeText(text(counting().replace("output: { n:", "output: { m:").replace("output.n", "output.m")))).toEqual([
      expect.stringMatching(/^\d+:\d+ DITTO509 the output of "count" cannot be its next input: /),
    ]);
    expect(await judgeText(text(counting().replace('"${ next }"', '"${ string(next) }"').replace("output.n >= 5", "output.n == '5'")))).toEqual([
      expect.stringMatching(/^\d+:\d+ DITTO509 /),
    ]);
  });
});

describe("a value that nothing reads", () => {
  it("is doubtful", async () => {
    const told = await judgeText("version: 1\nname: g\ngraphs: { g: { nodes: { total: { value: 1 }, used: { value: 2 } }, output: '${ used }' } }\n");
    expect(told).toEqual(['3:25 DITTO508 nothing reads the value "total"']);
  });
});

describe("an application", () => {
  it("runs a compiled graph on a Runtime of its own", async () => {
    const pipeline = await loadText("version: 1\nname: g\ngraphs: { g: { nodes: { total: { value: '${ input.a + 1 }' } }, output: '${ total }' } }\n");
    const runtime = createDitto({ workers: pipeline.workers });
    const outputs = (await runtime.run(pipeline.graphs.g as never, { input: { a: 1 }, now: 0 } as never)) as Record<string, unknown>;
    expect(outputs.$output).toEqual({ present: true, value: 2 });
    await runtime.close();
  });
});
