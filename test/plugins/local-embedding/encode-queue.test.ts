import { expect, test } from "vitest";
import { type EncodeJob, EncodeQueue } from "../../../plugins/local-embedding/encode-queue.ts";

const job = (purpose: "query" | "document", ...texts: string[]): EncodeJob => ({
  texts,
  purpose,
  encoded: [],
  next: 0,
  missing: texts.length,
  settled: false,
  resolve: () => {},
  reject: () => {},
});

/** The texts in the order in which threads get them. */
function drain(queue: EncodeQueue): string[] {
  const order: string[] = [];
  for (let task = queue.take(); task !== undefined; task = queue.take()) order.push(task.job.texts[task.index] ?? "none");
  return order;
}

test("Queries come before documents, also those that were asked later", () => {
  const queue = new EncodeQueue();
  queue.add(job("document", "d1", "d2"));
  queue.add(job("query", "q1"));
  queue.add(job("query", "q2"));
  expect(drain(queue)).toEqual(["q1", "q2", "d1", "d2"]);
});

test("Calls of one kind take turns, text by text", () => {
  const queue = new EncodeQueue();
  queue.add(job("document", "a1", "a2", "a3", "a4"));
  queue.add(job("document", "b1"));
  queue.add(job("document", "c1", "c2"));
  expect(drain(queue)).toEqual(["a1", "b1", "c1", "a2", "c2", "a3", "a4"]);
});

test("A removed call leaves nothing behind", () => {
  const queue = new EncodeQueue();
  const removed = job("document", "a1", "a2", "a3");
  queue.add(removed);
  queue.add(job("document", "b1"));
  queue.take();
  queue.remove(removed);
  expect(drain(queue)).toEqual(["b1"]);
  expect(queue.isEmpty).toBe(true);
});
