import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Collection } from "@codesoul-co/ditto/plugin";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCollection, openDatabase, testEmbedding } from "./open-test-collection.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ditto-writers-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const code = (expected: string): object => expect.objectContaining({ code: expected });
const fields = { round: { type: "integer" } } as const;

async function open(embedding = testEmbedding()): Promise<{ readonly collection: Collection; readonly close: () => Promise<void> }> {
  const connection = await openDatabase("kb.db", folder);
  const { collection } = await openCollection({ embedding, fields }, { database: connection.value });
  return { collection, close: async () => await connection.close?.() };
}

function startWriter(name: string, rounds: number): ChildProcess {
  const script = fileURLToPath(new URL("./write-in-child.ts", import.meta.url));
  return spawn(process.execPath, ["--conditions", "ditto-source", "--import", "jiti/register", script, folder, name, String(rounds)], {
    cwd: fileURLToPath(new URL("../../..", import.meta.url)),
    stdio: ["ignore", "pipe", "pipe"],
  });
}

async function ended(child: ChildProcess): Promise<{ readonly status: number | null; readonly errors: string }> {
  let errors = "";
  child.stderr?.on("data", (data) => (errors += String(data)));
  return await new Promise((resolve) => child.on("close", (status) => resolve({ status, errors })));
}

/** Row, text and vector agree everywhere. */
function assertWhole(): void {
  const file = new Database(join(folder, "kb.db"), { readonly: true });
  const list = (sql: string): readonly unknown[] => file.prepare(sql).pluck().all();
  expect(list("PRAGMA integrity_check")).toEqual(["ok"]);
  const rows = list("SELECT row FROM kb ORDER BY row");
  expect(list('SELECT row FROM "kb$content" ORDER BY row')).toEqual(rows);
  expect(list('SELECT id FROM "kb$text_docsize" ORDER BY id')).toEqual(rows);
  expect(list('SELECT row FROM "kb$vectors" WHERE vector IS NOT NULL ORDER BY row')).toEqual(rows);
  expect(list(`SELECT rowid FROM "kb$text" WHERE "kb$text" MATCH 'word' ORDER BY rowid`)).toEqual(rows);
  expect(list("SELECT record FROM kb GROUP BY record HAVING count(DISTINCT hash) > 1 OR (max(hash) IS NOT NULL AND count(*) <> 3 + max(hash) % 4)")).toEqual(
    [],
  );
  file.close();
}

describe("writers in several processes", () => {
  it("all get through, while others read", async () => {
    const rounds = 40;
    const writers = ["a", "b", "c"].map((name) => ended(startWriter(name, rounds)));
    const { collection, close } = await open();
    let going = true;
    const all = Promise.all(writers).finally(() => (going = false));
    while (going) {
      await collection.text.search({ query: { content: "word" }, target: { name: "t" } });
      await collection.vector?.search({ query: { content: Array(9).fill(1) }, target: { name: "t" } });
      await collection.write({ memories: [{ content: "word here" }] });
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(await all).toEqual(writers.map(() => ({ status: 0, errors: "" })));
    for (const name of ["a", "b", "c"])
      expect(await collection.get({ keys: Array.from({ length: rounds }, (_, round) => `${name}-${round}`) })).toHaveLength(rounds);
    await close();
    assertWhole();
  }, 120_000);

  it("leave whole rows only when they are killed in the middle", async () => {
    for (const afterMs of [30, 110, 270]) {
      const child = startWriter("a", 1_000_000);
      const end = ended(child);
      await new Promise<void>((resolve) => child.stdout?.once("data", () => resolve()));
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      child.kill("SIGKILL");
      await end;
      assertWhole();
      rmSync(join(folder, "kb.db"));
      for (const rest of ["-wal", "-shm"]) rmSync(join(folder, `kb.db${rest}`), { force: true });
    }
  }, 120_000);
});

describe("two updates of one memory", () => {
  it("are both kept, when one comes while the other is embedding", async () => {
    let during: (() => Promise<unknown>) | undefined;
    const slow = testEmbedding();
    const a = await open({ ...slow, embed: async (input) => (await Promise.all([during?.(), slow.embed(input)]))[1] });
    const b = await open();
    const [item] = await a.collection.write({ memories: [{ content: "word one", metadata: { round: 1 } }] });
    const id = item?.id ?? "";
    during = async () => {
      during = undefined;
      await b.collection.update({ memories: [{ id, metadata: { round: 2 } }] });
    };
    expect(await a.collection.update({ memories: [{ id, content: "word two" }] })).toEqual([{ id, content: "word two", metadata: { round: 2 } }]);
    during = async () => {
      during = undefined;
      await b.collection.delete({ ids: [id] });
    };
    await expect(a.collection.update({ memories: [{ id, content: "word three" }] })).rejects.toEqual(code("NOT_FOUND"));
    expect(await b.collection.records.count()).toBe(0);
    await a.close();
    await b.close();
  });

  it("is a conflict when it never ends", async () => {
    const b = await open();
    let id = "";
    let round = 0;
    const slow = testEmbedding();
    let armed = false;
    const a = await open({
      ...slow,
      embed: async (input) => {
        round += 1;
        if (armed) await b.collection.update({ memories: [{ id, content: `word ${round}`, metadata: { round } }] });
        return await slow.embed(input);
      },
    });
    const text = await openCollection(
      {
        embedding: {
          ...slow,
          embed: async (input: Parameters<typeof slow.embed>[0]) => {
            round += 1;
            await b.collection.update({ memories: [{ id, metadata: { round } }] });
            return await slow.embed(input);
          },
        },
        fields,
        text: ({ content, metadata }: { content: string; metadata: { round: number } }) => `${content} ${metadata.round}`,
      },
      { database: (await openDatabase("kb.db", folder)).value },
    );
    id = (await a.collection.write({ memories: [{ content: "word" }] }))[0]?.id ?? "";
    armed = true;
    // The same text is embedded once, so the second attempt finds nothing in its way.
    expect(await a.collection.update({ memories: [{ id, content: "word last" }] })).toHaveLength(1);
    // Here every attempt has another text.
    await expect(text.collection.update({ memories: [{ id, content: "word never" }] })).rejects.toEqual(code("CONFLICT"));
    await a.close();
    await b.close();
  });

  it("of one record are both judged by the last one", async () => {
    const [a, b] = [await open(), await open()];
    const record = (hash: string, count: number) => ({
      id: "r",
      hash,
      parts: Array.from({ length: count }, (_, index) => ({ id: `r#${index}`, content: `word ${hash}` })),
    });
    await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? a : b).collection.records.replace([record(String(index), 3 + (index % 4))])));
    const kept = (await a.collection.query({})).items;
    expect(new Set(kept.map(({ content }) => content)).size).toBe(1);
    await a.close();
    await b.close();
    assertWhole();
  });
});
