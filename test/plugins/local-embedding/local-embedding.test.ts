import { execFile } from "node:child_process";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLocalEmbedding, type LocalEmbedding, type LocalEmbeddingOptions } from "../../../plugins/local-embedding/local-embedding.ts";
import { buildModule } from "./build-module.ts";
import { golden, goldenDifference, goldenTolerance, modelFolder } from "./golden.ts";

const opened: LocalEmbedding[] = [];
let threadFile: string;
let shared: LocalEmbedding;

function open(options: LocalEmbeddingOptions = {}): LocalEmbedding {
  const embedding = createLocalEmbedding({ threadFile, ...options });
  opened.push(embedding);
  return embedding;
}

beforeAll(async () => {
  threadFile = await buildModule("encoder-thread.ts");
  shared = open({ threads: 2 });
});

afterAll(async () => {
  await Promise.all(opened.map((embedding) => embedding.close()));
});

test("It gives the golden vectors, as arrays of numbers", async () => {
  for (const [kind, purpose] of [
    ["query", "query"],
    ["passage", "document"],
  ] as const) {
    const expected = golden.filter((vector) => vector.kind === kind && vector.text !== "");
    const vectors = await shared.embed({ contents: expected.map(({ text }) => text), purpose });
    expect(vectors).toHaveLength(expected.length);
    for (const [index, vector] of vectors.entries()) {
      expect(Array.isArray(vector)).toBe(true);
      expect(vector).toHaveLength(384);
      expect(goldenDifference(expected[index] as (typeof expected)[number], vector)).toBeLessThanOrEqual(goldenTolerance);
    }
  }
});

test("Batches at the same time over two threads keep their order", async () => {
  const texts = ["cat", "一只猫", "a longer text about a dog that sleeps in the sun all day long", "dog", "数据库", "x"];
  const alone = await Promise.all(texts.map(async (text) => (await shared.embed({ contents: [text], purpose: "document" }))[0]));
  const forth = shared.embed({ contents: texts, purpose: "document" });
  const back = shared.embed({ contents: texts.toReversed(), purpose: "document" });
  expect(await forth).toEqual(alone);
  expect(await back).toEqual(alone.toReversed());
});

test("A question finds its answer in the other language", async () => {
  const documents = ["Reset your password from the sign-in page", "Tomorrow it will rain in the north", "The invoice is sent on the first of the month"];
  const questions = ["忘记密码怎么办", "明天的天气怎么样", "什么时候收到账单"];
  const answers = await shared.embed({ contents: documents, purpose: "document" });
  for (const [index, question] of (await shared.embed({ contents: questions, purpose: "query" })).entries()) {
    const cosines = answers.map((answer) => answer.reduce((sum, component, place) => sum + component * (question[place] ?? 0), 0));
    expect(cosines.indexOf(Math.max(...cosines))).toBe(index);
  }
});

test("No contents give no vectors", async () => {
  expect(await shared.embed({ contents: [], purpose: "query" })).toEqual([]);
});

test.each([
  ["empty", ""],
  ["spaces only", " \n\u3000"],
  ["invisible characters only", "\u200b\ufeff\u0007"],
  ["a number", 7],
  ["structured", { text: "a" }],
  ["absent", undefined],
])("A content that is %s is refused before any work, by its position", async (_, content) => {
  const embedding = open({ threadFile: "/nowhere/thread.js" });
  const call = embedding.embed({ contents: ["fine", content, ""], purpose: "document" });
  await expect(call).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_EMBEDDING", message: expect.stringContaining("contents[1]") });
});

test("It counts texts, tokens and the texts that it cut", async () => {
  const embedding = open({ maxTokens: 16 });
  expect(embedding.report()).toEqual({ texts: 0, tokens: 0, cut: 0 });
  const short = "sign-in page";
  const long = "one two three four five six seven eight nine ten eleven twelve thirteen";
  await embedding.embed({ contents: [short, long, long], purpose: "document" });
  expect(embedding.report()).toEqual({ texts: 3, tokens: embedding.countTokens(short) + 32, cut: 2 });
  expect(embedding.countTokens(long)).toBeGreaterThan(16);
});

test("Its facts are the model's, with where it cuts", () => {
  expect(shared.facts).toEqual({ model: "multilingual-e5-small-en-zh-q4@1", dimensions: 384, maxTokens: 256 });
  expect(open({ maxTokens: 512 }).facts.maxTokens).toBe(512);
});

test("Options out of bounds are refused", () => {
  for (const options of [{ threads: 0 }, { threads: 9 }, { threads: 1.5 }, { maxTokens: 15 }, { maxTokens: 513 }]) {
    expect(() => createLocalEmbedding(options)).toThrow(expect.objectContaining({ code: "RETRIEVAL_INVALID_INPUT" }));
  }
  expect(() => createLocalEmbedding({ modelFolder: "/nowhere" })).toThrow(expect.objectContaining({ code: "RETRIEVAL_PROVIDER_UNAVAILABLE" }));
});

test("An aborted signal's reason rejects the call", async () => {
  const controller = new AbortController();
  const call = shared.embed({ contents: Array(50).fill("a text that takes a while"), purpose: "document" }, { signal: controller.signal });
  controller.abort(new Error("enough"));
  await expect(call).rejects.toThrow("enough");
  expect(await shared.embed({ contents: ["next"], purpose: "query" })).toHaveLength(1);
});

test("A check loads the model, counts nothing, and fails where the model cannot be loaded", async () => {
  const embedding = open();
  await embedding.check(AbortSignal.timeout(10_000));
  expect(embedding.report().texts).toBe(0);
  await expect(open({ threadFile: "/nowhere/thread.js" }).check(AbortSignal.timeout(10_000))).rejects.toMatchObject({ code: "RETRIEVAL_PROVIDER_UNAVAILABLE" });
});

test("A closed embedding refuses calls", async () => {
  const embedding = open();
  await embedding.close();
  await embedding.close();
  await expect(embedding.embed({ contents: ["a"], purpose: "query" })).rejects.toMatchObject({ code: "RETRIEVAL_PROVIDER_UNAVAILABLE" });
});

describe("A process of its own", () => {
  test("ends by itself when nothing runs, without closing", async () => {
    const bundle = await buildModule("local-embedding.ts");
    const program = `
      import { createLocalEmbedding } from ${JSON.stringify(pathToFileURL(bundle).href)};
      const embedding = createLocalEmbedding(${JSON.stringify({ threadFile, modelFolder })});
      const vectors = await embedding.embed({ contents: ["one", "two"], purpose: "query" });
      console.log(vectors.length);`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], { timeout: 15_000 });
    expect(stdout).toBe("2\n");
  });

  test("is told to name the files when they are not beside the bundled code", async () => {
    const bundle = await buildModule("local-embedding.ts");
    const { createLocalEmbedding: create } = (await import(/* @vite-ignore */ pathToFileURL(bundle).href)) as {
      createLocalEmbedding: typeof createLocalEmbedding;
    };
    expect(() => create()).toThrow(expect.objectContaining({ code: "RETRIEVAL_PROVIDER_UNAVAILABLE" }));
  });
});
