/** A reply of Redis, in version 2 of its protocol. */
export type RedisReply = string | number | null | readonly RedisReply[];

/** Puts replies together from what arrives, in whatever pieces it arrives. */
export class RedisReplies {
  readonly #take: (reply: RedisReply | Error) => void;
  #received: Buffer = Buffer.alloc(0);

  /** @param take Gets each whole reply; an Error for one that says that the command failed. */
  constructor(take: (reply: RedisReply | Error) => void) {
    this.#take = take;
  }

  push(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    for (let read = readReply(this.#received, 0); read !== undefined; read = readReply(this.#received, 0)) {
      this.#received = this.#received.subarray(read.end);
      this.#take(read.reply);
    }
  }
}

interface Read {
  readonly reply: RedisReply | Error;
  readonly end: number;
}

/** Reads one reply; undefined while it is not whole. */
function readReply(buffer: Buffer, start: number): Read | undefined {
  const lineEnd = buffer.indexOf("\r\n", start);
  if (lineEnd === -1) return undefined;
  const line = buffer.toString("utf8", start + 1, lineEnd);
  const end = lineEnd + 2;
  switch (String.fromCharCode(buffer[start] ?? 0)) {
    case "+":
      return { reply: line, end };
    case "-":
      return { reply: new Error(line), end };
    case ":":
      return { reply: Number(line), end };
    case "$":
      return readText(buffer, { length: Number(line), start: end });
    case "*":
      return readList(buffer, { count: Number(line), start: end });
    default:
      return { reply: new Error("The server does not speak the Redis protocol"), end: buffer.length };
  }
}

function readText(buffer: Buffer, { length, start }: { readonly length: number; readonly start: number }): Read | undefined {
  if (length < 0) return { reply: null, end: start };
  const end = start + length + 2;
  return buffer.length < end ? undefined : { reply: buffer.toString("utf8", start, start + length), end };
}

function readList(buffer: Buffer, { count, start }: { readonly count: number; readonly start: number }): Read | undefined {
  const items: RedisReply[] = [];
  let end = start;
  for (let index = 0; index < count; index += 1) {
    const item = readReply(buffer, end);
    if (item === undefined) return undefined;
    items.push(item.reply instanceof Error ? item.reply.message : item.reply);
    end = item.end;
  }
  return { reply: count < 0 ? null : items, end };
}
