import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, describe, expect, it } from "vitest";
import { type ReadRecord, type RecordFormat, readRecords } from "../../src/ingest/read-records.ts";

const folder = mkdtempSync(join(tmpdir(), "ditto-read-"));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
async function read(text: string | Buffer, format: RecordFormat = "jsonl", options: { readonly maxRowBytes?: number } = {}): Promise<readonly ReadRecord[]> {
  files += 1;
  const path = join(folder, `${files}.${format}`);
  writeFileSync(path, text);
  return collect(await readRecords({ path }, options));
}

async function collect(records: AsyncIterable<ReadRecord>): Promise<readonly ReadRecord[]> {
  const found: ReadRecord[] = [];
  for await (const record of records) found.push(record);
  return found;
}

describe("readRecords from JSONL", () => {
  it("gives each line its number, skips blank ones, and takes BOM, CRLF and a last line without an end", async () => {
    expect(await read('\ufeff{"a":1}\r\n\r\n  \n{"a":"é字"}')).toEqual([
      { line: 1, record: { a: 1 } },
      { line: 4, record: { a: "é字" } },
    ]);
    expect(await read("")).toEqual([]);
    expect(await read("\ufeff")).toEqual([]);
  });

  it("tells a bad line's number and reads on", async () => {
    expect(await read('{"a":1}\n{"a": tru}\n{"a":3\n{"a":4}\n')).toEqual([
      { line: 1, record: { a: 1 } },
      { line: 2, problem: "no JSON: Unexpected token '}'" },
      { line: 3, problem: expect.stringMatching(/^no JSON: Expected ',' or '}' after property value at column 7$/) },
      { line: 4, record: { a: 4 } },
    ]);
  });

  it("refuses what is not UTF-8 instead of replacing it", async () => {
    expect(await read(Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}\n{"a":2}')]))).toEqual([
      { line: 1, problem: "the text is not UTF-8" },
      { line: 2, record: { a: 2 } },
    ]);
  });

  it("refuses numbers that would lose digits or turn infinite", async () => {
    expect(await read('{"id":9007199254740993}\n{"x":{"n":[1e999]}}\n{"id":9007199254740991,"t":"9007199254740993","f":0.1234567890123456789}')).toEqual([
      { line: 1, problem: 'the number at "/id" is too large to keep its digits; write it as a text' },
      { line: 2, problem: 'the number at "/x/n/0" is too large to keep its digits; write it as a text' },
      { line: 3, record: { id: 9007199254740991, t: "9007199254740993", f: 0.12345678901234568 } },
    ]);
  });

  it("keeps nothing of a line that is too long, and reads on", async () => {
    const long = `{"a":"${"x".repeat(600_000)}"}`;
    expect(await read(`{"a":1}\n${long}\n{"a":3}\n`, "jsonl", { maxRowBytes: 1000 })).toEqual([
      { line: 1, record: { a: 1 } },
      { line: 2, problem: "the line is too long" },
      { line: 3, record: { a: 3 } },
    ]);
    expect(await read(`${long}\n`)).toHaveLength(1);
  });
});

describe("readRecords from CSV", () => {
  it("reads quotes, doubled quotes, line ends inside quotes, and keeps line numbers", async () => {
    expect(await read('\ufeffid,body,n\r\n1,"a, ""b""\r\nc",x\r\n\r\n2,plain "quote" here,\r\n3,"",5" pipe\r\n', "csv")).toEqual([
      { line: 2, record: { id: "1", body: 'a, "b"\r\nc', n: "x" } },
      { line: 5, record: { id: "2", body: 'plain "quote" here' } },
      { line: 6, record: { id: "3", body: "", n: '5" pipe' } },
    ]);
  });

  it("tells a row that does not fit the header, and one whose quote goes wrong", async () => {
    expect(await read('a,b\n1\n1,2,3\n"x" y,2\n1,2\n"open,1\n2,3\n', "csv")).toEqual([
      { line: 2, problem: "1 column, where the header has 2" },
      { line: 3, problem: "3 columns, where the header has 2" },
      { line: 4, problem: "column 1 goes on after its closing quote" },
      { line: 5, record: { a: "1", b: "2" } },
      { line: 6, problem: "the quote of column 1 is never closed" },
    ]);
  });

  it.each([
    ["a,,c\n1,2,3", "column 2 has no name"],
    ["a,b,a\n1,2,3", 'the name "a" is there twice'],
  ])("refuses the header of %j", async (text, problem) => {
    await expect(read(text, "csv")).rejects.toMatchObject({ code: "INGEST_HEADER_INVALID", message: expect.stringContaining(problem) });
  });
});

describe("readRecords", () => {
  it("reads a stream in pieces of any size the same way", async () => {
    const bytes = Buffer.from('\ufeffid,text\n1,"字,""x""\n二"\n2,end', "utf8");
    for (const size of [1, 2, 3, 7]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
      expect(await collect(await readRecords({ stream: Readable.from(pieces), format: "csv" }))).toEqual([
        { line: 2, record: { id: "1", text: '字,"x"\n二' } },
        { line: 4, record: { id: "2", text: "end" } },
      ]);
    }
  });

  it("knows the size of a file and how far it is", async () => {
    const path = join(folder, "size.jsonl");
    writeFileSync(path, '{"a":1}\n{"a":2}\n');
    const reader = await readRecords({ path });
    expect(reader.totalBytes).toBe(16);
    const seen: number[] = [];
    for await (const _ of reader) seen.push(reader.bytes);
    expect(seen).toEqual([8, 16]);
  });

  it.each([
    ["missing.jsonl", "INGEST_SOURCE_UNREADABLE", "do not exist"],
    [".", "INGEST_SOURCE_UNKNOWN", "neither"],
    ["articles.xlsx", "INGEST_SOURCE_UNKNOWN", "neither"],
  ])("says what is wrong with %s", async (name, code, message) => {
    await expect(readRecords({ path: join(folder, name) })).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it("says that a folder is one", async () => {
    await expect(readRecords({ path: folder, format: "jsonl" })).rejects.toMatchObject({
      code: "INGEST_SOURCE_UNREADABLE",
      message: expect.stringContaining("folder"),
    });
  });

  it("ends early without an error when its signal aborts, also while a stream is silent", async () => {
    const controller = new AbortController();
    const silent = new Readable({ read: () => undefined });
    silent.push('{"a":1}\n{"half');
    const records: ReadRecord[] = [];
    for await (const record of await readRecords({ stream: silent }, { signal: controller.signal })) {
      records.push(record);
      controller.abort();
      if (records.length > 1) break;
    }
    expect(records[0]).toEqual({ line: 1, record: { a: 1 } });
  });
});
