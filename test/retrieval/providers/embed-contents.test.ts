import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EmbeddingProvider } from "../../../src/contracts/retrieval.ts";
import { embedContents } from "../../../src/retrieval/providers/embed-contents.ts";
import { recordedTrace } from "../support/recorded-trace.ts";

interface Recorded extends EmbeddingProvider {
  readonly batches: (readonly unknown[])[];
  running: number;
  most: number;
}

/** Embeds a content as its length and place in the alphabet of the test. */
function recordingEmbedding(vectorOf: (content: unknown) => unknown = (content) => [Number(content), 1]): Recorded {
  const embedding: Recorded = {
    batches: [],
    running: 0,
    most: 0,
    async embed({ contents }) {
      embedding.batches.push(contents);
      embedding.running += 1;
      embedding.most = Math.max(embedding.most, embedding.running);
      await Promise.resolve();
      embedding.running -= 1;
      return contents.map(vectorOf) as number[][];
    },
  };
  return embedding;
}

const input = (...contents: readonly unknown[]) => ({ contents, purpose: "document" }) as const;

describe("embedContents", () => {
  it("embeds in sequential, bounded batches and keeps the order of the input", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer()), fc.integer({ min: 1, max: 12 }), async (contents, batchSize) => {
        const embedding = recordingEmbedding();
        const vectors = await embedContents(embedding, input(...contents), { batchSize });
        expect(vectors.map(([value]) => value)).toEqual(contents.map(Number));
        expect(embedding.batches.flat()).toEqual(contents);
        expect(embedding.batches.every((batch, index) => batch.length === batchSize || index === embedding.batches.length - 1)).toBe(true);
        expect(embedding.most).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("calls no model for an empty input", async () => {
    const embedding = recordingEmbedding();
    expect(await embedContents(embedding, input())).toEqual([]);
    expect(embedding.batches).toEqual([]);
  });

  it("takes the batch size from the options, then the defaults, then 64", async () => {
    const level = fc.option(fc.integer({ min: 1, max: 200 }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(level, level, async (own, defaults) => {
        const embedding = recordingEmbedding();
        await embedContents(
          embedding,
          input(...Array.from({ length: 201 }, (_, index) => index)),
          { batchSize: own },
          { defaults: { embedding: { batchSize: defaults } } },
        );
        expect(embedding.batches[0]).toHaveLength(own ?? defaults ?? 64);
      }),
      { numRuns: 30 },
    );
  });

  it("takes dimensions from the options, then the defaults", async () => {
    const embedding = recordingEmbedding();
    const context = { defaults: { embedding: { dimensions: 3 } } };
    await expect(embedContents(embedding, input(1), {}, context)).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_EMBEDDING" });
    expect(await embedContents(embedding, input(1), { dimensions: 2 }, context)).toEqual([[1, 1]]);
  });

  it("passes purpose and context on", async () => {
    const seen: unknown[] = [];
    const context = { signal: new AbortController().signal };
    const embedding: EmbeddingProvider = {
      async embed({ purpose }, given) {
        seen.push(purpose, given);
        return [[1]];
      },
    };
    await embedContents(embedding, { contents: ["x"], purpose: "query" }, {}, context);
    expect(seen).toEqual(["query", context]);
  });

  it.each<[string, (content: unknown) => unknown, RegExp]>([
    ["an empty vector", () => [], /contents\[0\] is empty/],
    ["no list", () => "vector", /contents\[0\] is no list/],
    ["null", () => null, /contents\[0\]/],
    ["NaN", (content) => [content === 2 ? Number.NaN : 1], /contents\[2\] has no finite number at position 0/],
    ["infinity", (content) => [1, content === 1 ? Number.POSITIVE_INFINITY : 1], /contents\[1\] has no finite number at position 1/],
    ["a text for a number", () => ["1"], /position 0/],
    ["a hole", () => new Array(2), /position 0/],
    ["another dimension in the middle", (content) => (content === 3 ? [1, 2, 3] : [1, 2]), /contents\[3\] has 3 dimensions instead of 2/],
  ])("refuses %s, naming the input", async (_, vectorOf, message) => {
    const failed = embedContents(recordingEmbedding(vectorOf), input(0, 1, 2, 3, 4), { batchSize: 2 });
    await expect(failed).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_EMBEDDING", message: expect.stringMatching(message) });
  });

  it.each([0, 1, 3])("refuses %d vectors for 2 contents", async (count) => {
    const embedding: EmbeddingProvider = { embed: async () => new Array(count).fill([1]) };
    await expect(embedContents(embedding, input(1, 2))).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_EMBEDDING" });
  });

  it("neither cuts nor pads: another dimension than expected is refused", async () => {
    for (const dimensions of [1, 3]) {
      await expect(embedContents(recordingEmbedding(), input(1), { dimensions })).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_EMBEDDING" });
    }
  });

  it.each([{ batchSize: 0 }, { batchSize: 2049 }, { batchSize: 1.5 }, { dimensions: 0 }, { dimensions: 1.5 }, { dimensions: 2 ** 53 }])(
    "refuses %j",
    async (options) => {
      await expect(embedContents(recordingEmbedding(), input(), options)).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_INPUT" });
    },
  );

  it("accepts a batch of 2048", async () => {
    const embedding = recordingEmbedding();
    await embedContents(embedding, input(...new Array(2048).fill(1)), { batchSize: 2048 });
    expect(embedding.batches).toHaveLength(1);
  });

  it("refuses an embedding without embed", async () => {
    await expect(embedContents({} as never, input(1))).rejects.toMatchObject({ code: "RETRIEVAL_PROVIDER_UNAVAILABLE" });
  });

  it("starts no further batch once the signal has aborted", async () => {
    const controller = new AbortController();
    const embedding = recordingEmbedding((content) => {
      controller.abort();
      return [content];
    });
    await expect(embedContents(embedding, input(1, 2), { batchSize: 1 }, { signal: controller.signal })).rejects.toMatchObject({ code: "RETRIEVAL_CANCELLED" });
    expect(embedding.batches).toHaveLength(1);
  });

  it("opens a step of the trace with counts", async () => {
    const trace = recordedTrace();
    await embedContents(recordingEmbedding(), input(1, 2, 3), { batchSize: 2 }, { trace });
    expect(trace.children[0]).toMatchObject({ kind: "embed", label: "document", closed: true, facts: { contents: 3, batches: 2, dimensions: 2 } });
  });
});
