import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type RedisReply, RedisReplies } from "../../../src/kinds/context-store/redis-replies.ts";

function replies(chunks: readonly Buffer[]): (RedisReply | Error)[] {
  const found: (RedisReply | Error)[] = [];
  const reader = new RedisReplies((reply) => found.push(reply));
  for (const chunk of chunks) reader.push(chunk);
  return found;
}

describe("replies of Redis", () => {
  it("are texts, numbers, nothing, lists and errors", () => {
    expect(replies([Buffer.from("+OK\r\n:-7\r\n$-1\r\n$3\r\na\r\n\r\n*2\r\n:1\r\n$1\r\nx\r\n-ERR no\r\n")])).toEqual([
      "OK",
      -7,
      null,
      "a\r\n",
      [1, "x"],
      new Error("ERR no"),
    ]);
  });

  it("are put together from pieces of any length", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.string({ unit: "binary" })), { minLength: 1 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 5 })),
        (texts, sizes) => {
          const whole = Buffer.concat(texts.map((text) => Buffer.from(`$${Buffer.byteLength(text)}\r\n${text}\r\n`)));
          const chunks: Buffer[] = [];
          for (let at = 0; at < whole.length; ) {
            const size = sizes.next().value as number;
            chunks.push(whole.subarray(at, at + size));
            at += size;
          }
          expect(replies(chunks)).toEqual(texts.map((text) => Buffer.from(text).toString("utf8")));
        },
      ),
    );
  });
});
