import { context as otelContext, trace as otelTrace } from "@opentelemetry/api";
import { BasicTracerProvider, InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { afterEach, describe, expect, it } from "vitest";
import type { Collection } from "../../src/contracts/collection.ts";
import { TraceRecorder } from "../../src/explain/trace-recorder.ts";
import { loadText } from "../kinds/support/load-text.ts";

const text = `version: 1
name: kb
resources:
  db: { sqlite: { file: kb.db } }
  kb: { sqlite.collection: { database: db } }
targets:
  kb:
    default: both
    strategies:
      words: { text: { collection: kb } }
      both: { hybrid: { branches: { words: {}, again: { search: words } } } }
  other:
    strategies:
      broken: { sql: { database: db, statement: "SELECT 'x' AS id, abs(-9223372036854775808) AS score WHERE :query != '' ORDER BY score LIMIT :limit", row: { id: "\${ row.id }", content: x, score: "\${ row.score }" } } }
memory: { store: kb, search: kb }
graphs:
  ask:
    input: { type: object, required: [question], properties: { question: { type: string } } }
    nodes: { search: { node: MEMORY.SEARCH, input: { query: "\${ input.question }" } } }
    output: "\${ size(search.output) }"
`;

function listen(): InMemorySpanExporter {
  const exporter = new InMemorySpanExporter();
  otelTrace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  return exporter;
}

afterEach(() => {
  otelTrace.disable();
  otelContext.disable();
});

const parentOf = (span: ReadableSpan, all: readonly ReadableSpan[]): string | undefined =>
  all.find((other) => other.spanContext().spanId === span.parentSpanContext?.spanId)?.name;

describe("spans of OpenTelemetry", () => {
  it("are made for a search, its branches and statements, and carry pipeline, target, strategy and request", async () => {
    const exporter = listen();
    const pipeline = await loadText(text);
    await pipeline.search({ query: { content: "apple" }, target: "kb" }, { requestId: "r-1" });
    const spans = exporter.getFinishedSpans();
    const named = (name: string): ReadableSpan => spans.find((span) => span.name === name) as ReadableSpan;
    expect(parentOf(named("search kb/both"), spans)).toBe("ditto.search kb");
    expect(parentOf(named("branch words"), spans)).toBe("search hybrid");
    expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(1);
    for (const { attributes } of spans) expect(attributes).toMatchObject({ "ditto.pipeline": "kb", "ditto.target": "kb", "ditto.request_id": "r-1" });
    expect(named("search hybrid").attributes).toMatchObject({ "ditto.strategy": "both", "ditto.candidates": 0 });
    expect(named("search text").attributes).toMatchObject({ "ditto.strategy": "words" });
  });

  it("are made for a graph's steps and nodes", async () => {
    const exporter = listen();
    const pipeline = await loadText(text);
    await pipeline.run({ question: "apple" });
    const spans = exporter.getFinishedSpans();
    const node = spans.find(({ name }) => name === "node MEMORY.SEARCH") as ReadableSpan;
    expect(parentOf(node, spans)).toBe("step search");
    expect(spans.find(({ name }) => name === "ditto.run kb")?.attributes).toMatchObject({ "ditto.graph": "ask" });
    const below = spans.find(({ name }) => name === "search hybrid") as ReadableSpan;
    expect(below.attributes).toMatchObject({ "ditto.pipeline": "kb", "ditto.target": "kb", "ditto.strategy": "both" });
    expect(below.attributes["ditto.request_id"]).toBe(node.attributes["ditto.request_id"]);
  });

  it("say the code of what failed, and never its text", async () => {
    const exporter = listen();
    const pipeline = await loadText(text);
    // A file that was never written has nothing that can fail.
    await (pipeline.resource("kb") as Collection).records.replace([{ id: "a", hash: "", parts: [{ id: "a", content: "apple" }] }]);
    const { error } = await pipeline.search({ query: { content: "apple" }, target: "other" });
    const failed = exporter.getFinishedSpans().filter(({ status }) => status.code === 2);
    expect(failed.map(({ name }) => name)).toEqual(expect.arrayContaining(["ditto.search kb", "search other/broken"]));
    for (const { status, events } of failed) {
      expect(status.message).toBe(error?.code);
      expect(events).toEqual([]);
    }
  });

  it("are told beside whoever else is told", async () => {
    const exporter = listen();
    const pipeline = await loadText(text);
    const recorder = new TraceRecorder();
    await pipeline.search({ query: { content: "apple" }, target: "kb" }, { trace: recorder.root });
    expect(recorder.steps[0]).toMatchObject({ label: "kb/both", facts: { hits: [] } });
    expect(exporter.getFinishedSpans().length).toBeGreaterThan(4);
  });

  it("are not made where nobody registered a provider", async () => {
    const exporter = new InMemorySpanExporter();
    const pipeline = await loadText(text);
    const recorder = new TraceRecorder();
    await pipeline.search({ query: { content: "apple" }, target: "kb" }, { trace: recorder.root });
    expect(recorder.steps).toHaveLength(1);
    expect(exporter.getFinishedSpans()).toEqual([]);
  });
});
