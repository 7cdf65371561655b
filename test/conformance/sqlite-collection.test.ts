import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { collectionCases } from "../../src/testing/collection/collection-cases.ts";
import type { CollectionSubject } from "../../src/testing/collection/collection-subject.ts";
import { selectCases } from "../../src/testing/conformance-case.ts";
import { openCollection, openDatabase } from "../plugins/sqlite/open-test-collection.ts";
import { testCases } from "./run-cases.ts";

const capabilities = ["scope", "atomic", "unique-keys", "vectors", "exact-vectors"];
const folder = mkdtempSync(join(tmpdir(), "ditto-conformance-"));
let files = 0;

/** Each case gets a file of its own, or a database in memory. */
function subjectIn(place: "file" | "memory" | "threads"): CollectionSubject {
  return {
    open: async ({ name, ...configuration }) => {
      files += 1;
      const connection = await openDatabase(place === "memory" ? ":memory:" : join(folder, `${files}.db`), "/", place === "threads" ? 2 : 0);
      const { collection, close } = await openCollection(configuration, { name, database: connection.value });
      return {
        collection,
        close: async () => {
          await close();
          await connection.close?.();
        },
      };
    },
  };
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a SQLite collection in a file", () => testCases(collectionCases, subjectIn("file"), capabilities, 60_000));
describe("a SQLite collection that is read in threads", () => testCases(collectionCases, subjectIn("threads"), capabilities, 60_000));
describe("a SQLite collection in memory", () => testCases(collectionCases, subjectIn("memory"), capabilities, 60_000));

it("a SQLite collection is held to every case", () => {
  expect(selectCases(collectionCases, capabilities).leftOut).toEqual([]);
});
