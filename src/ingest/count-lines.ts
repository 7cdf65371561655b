import { createReadStream } from "node:fs";

/** Counts the lines of a file; undefined where it cannot be read. */
export async function countLines(path: string): Promise<number | undefined> {
  let lines = 0;
  let last = 10;
  try {
    for await (const piece of createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
      for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines += 1;
      last = piece[piece.length - 1] ?? last;
    }
  } catch {
    return undefined;
  }
  return last === 10 ? lines : lines + 1;
}
