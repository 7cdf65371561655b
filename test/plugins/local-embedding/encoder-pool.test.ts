import { fileURLToPath } from "node:url";
import { onTestFinished, expect, test } from "vitest";
import { EncoderPool, type EncoderPoolOptions } from "../../../plugins/local-embedding/encoder-pool.ts";
import type { EncodedSentence } from "../../../plugins/local-embedding/encoder/sentence-encoder.ts";
import { heldText } from "./held-text.ts";

const scripted = { threads: 1, modelFolder: "unused", maxTokens: 256, threadFile: fileURLToPath(new URL("scripted-thread.mjs", import.meta.url)) };

function scriptedPool(options: Partial<EncoderPoolOptions> = {}): EncoderPool {
  const pool = new EncoderPool({ ...scripted, ...options });
  onTestFinished(() => pool.close());
  return pool;
}

const orders = (encoded: readonly EncodedSentence[]): (number | undefined)[] => encoded.map(({ vector }) => vector[0]);
const threadsOf = (encoded: readonly EncodedSentence[]): (number | undefined)[] => encoded.map(({ vector }) => vector[1]);

test("Answers stand in the order of their texts, over calls at the same time and threads of uneven speed", async () => {
  const pool = scriptedPool({ threads: 2 });
  const held = heldText();
  const first = pool.encode([held.text, "a", "b", "c"], { purpose: "document" });
  const second = pool.encode(["d", "e", "f", "g", "h"], { purpose: "document" });
  await second;
  await held.release();
  const [a, b] = [await first, await second];
  expect(orders(a)[0]).toBe(0);
  expect(orders(a).slice(1)).toEqual([...orders(a).slice(1)].sort((x, y) => Number(x) - Number(y)));
  expect(orders(b)).toEqual([...orders(b)].sort((x, y) => Number(x) - Number(y)));
});

test("A long text keeps one thread busy and leaves the rest of its batch to the other", async () => {
  const pool = scriptedPool({ threads: 2 });
  const held = heldText();
  const batch = pool.encode([held.text, "a", "b", "c"], { purpose: "document" });
  await held.begun;
  await pool.encode(["x", "y", "z", "w"], { purpose: "document" }); // takes turns with the batch, so the batch waits for the held text only
  await held.release();
  const [holder, ...others] = threadsOf(await batch);
  expect(new Set(others).size).toBe(1);
  expect(others[0]).not.toBe(holder);
});

test("A query overtakes the batch of another call", async () => {
  const pool = scriptedPool();
  const batch = pool.encode(["a", "b", "c", "d"], { purpose: "document" });
  const query = pool.encode(["q"], { purpose: "query" });
  expect(orders(await query)).toEqual([1]);
  expect(orders(await batch)).toEqual([0, 2, 3, 4]);
});

test("One document does not wait for the whole batch of another call", async () => {
  const pool = scriptedPool();
  const batch = pool.encode(["a", "b", "c", "d"], { purpose: "document" });
  const single = pool.encode(["e"], { purpose: "document" });
  expect(orders(await single)).toEqual([2]);
  expect(orders(await batch)).toEqual([0, 1, 3, 4]);
});

test("One thread serves all calls unless more are asked for", async () => {
  const pool = scriptedPool();
  const held = heldText();
  const first = pool.encode([held.text], { purpose: "document" });
  const second = pool.encode(["a"], { purpose: "document" });
  await held.begun;
  pool.growTo(1);
  const third = pool.encode(["b"], { purpose: "query" });
  pool.growTo(2);
  const [thread] = threadsOf(await third);
  await second;
  await held.release();
  expect(threadsOf(await first)).not.toEqual([thread]);
});

test("No texts need no thread", async () => {
  const pool = scriptedPool({ threadFile: "/nowhere/thread.js" });
  expect(await pool.encode([], { purpose: "document" })).toEqual([]);
});

test("A signal takes back what waits, at once, and drops the answer of what runs", async () => {
  const pool = scriptedPool();
  const held = heldText();
  const controller = new AbortController();
  const call = pool.encode([held.text, "b", "c"], { purpose: "document", signal: controller.signal });
  await held.begun;
  const reason = new Error("no longer needed");
  controller.abort(reason);
  await expect(call).rejects.toBe(reason);
  await held.release();
  expect(orders(await pool.encode(["d"], { purpose: "document" }))).toEqual([1]);
});

test("A signal of one call leaves the others alone", async () => {
  const pool = scriptedPool();
  const controller = new AbortController();
  const given = pool.encode(["a", "b"], { purpose: "document", signal: controller.signal });
  const kept = pool.encode(["c", "d"], { purpose: "document", signal: new AbortController().signal });
  controller.abort();
  await expect(given).rejects.toBe(controller.signal.reason);
  expect(orders(await kept)).toEqual([1, 2]);
});

test("A signal that is aborted already starts nothing", async () => {
  const pool = scriptedPool({ threadFile: "/nowhere/thread.js" });
  const signal = AbortSignal.abort("too late");
  await expect(pool.encode(["a"], { purpose: "document", signal })).rejects.toBe("too late");
});

test("A signal that aborts after the answer changes nothing", async () => {
  const pool = scriptedPool();
  const controller = new AbortController();
  const call = pool.encode(["a"], { purpose: "document", signal: controller.signal });
  await call;
  controller.abort();
  expect(orders(await call)).toEqual([0]);
});

test.each(["throw", "exit"])("A thread that ends over a text (%s) fails its call and is replaced for the others", async (text) => {
  const pool = scriptedPool();
  const failing = pool.encode(["a", text, "b"], { purpose: "document" });
  const waiting = pool.encode(["c", "d"], { purpose: "document" });
  await expect(failing).rejects.toMatchObject({ code: "RETRIEVAL_BACKEND_ERROR", cause: expect.any(Error) });
  expect(await waiting).toHaveLength(2);
  expect(await pool.encode(["e"], { purpose: "query" })).toHaveLength(1);
});

test("A model that cannot be loaded fails each call, and nothing hangs", async () => {
  const pool = scriptedPool({ modelFolder: "broken" });
  const calls = ["a", "b"].map((text) => pool.encode([text, text], { purpose: "document" }));
  for (const call of calls)
    await expect(call).rejects.toMatchObject({ code: "RETRIEVAL_PROVIDER_UNAVAILABLE", cause: expect.objectContaining({ message: "no model here" }) });
  await expect(pool.encode(["c"], { purpose: "query" })).rejects.toMatchObject({ code: "RETRIEVAL_PROVIDER_UNAVAILABLE" });
});

test("A missing thread file fails the call with a code", async () => {
  const pool = scriptedPool({ threadFile: "/nowhere/thread.js" });
  await expect(pool.encode(["a"], { purpose: "query" })).rejects.toMatchObject({ code: "RETRIEVAL_PROVIDER_UNAVAILABLE" });
});

test("Closing waits for accepted calls, refuses new ones, and may be asked for again", async () => {
  const pool = scriptedPool();
  const held = heldText();
  const accepted = pool.encode([held.text, "b"], { purpose: "document" });
  const closing = pool.close();
  await expect(pool.encode(["c"], { purpose: "query" })).rejects.toMatchObject({ code: "RETRIEVAL_PROVIDER_UNAVAILABLE" });
  await held.begun;
  await held.release();
  await closing;
  await pool.close();
  expect(orders(await accepted)).toEqual([0, 1]);
});

test("Closing ends also when the thread ends over the last text", async () => {
  const pool = scriptedPool();
  const failing = pool.encode(["exit"], { purpose: "document" });
  const closing = pool.close();
  await expect(failing).rejects.toMatchObject({ code: "RETRIEVAL_BACKEND_ERROR" });
  await closing;
});

test("Closing a pool that never started is done at once", async () => {
  await scriptedPool().close();
});
