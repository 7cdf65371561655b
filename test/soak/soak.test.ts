import { describe, expect, it } from "vitest";
import { describeWithServer } from "../servers/describe-with-server.ts";
import { mariadb } from "../servers/mariadb.ts";
import { milvusLite } from "../servers/milvus.ts";
import { postgres18 } from "../servers/postgres.ts";
import { withOpened } from "../../src/testing/with-opened.ts";
import { withEngine } from "./engines.ts";
import { hostileDeclaration, hostileValues } from "./hostile-values.ts";
import { tenantDeclaration, twoTenants } from "./two-tenants.ts";
import type { CollectionDeclaration } from "../../src/testing/collection/collection-subject.ts";
import type { Collection } from "../../src/contracts/collection.ts";

async function withCollection(declaration: CollectionDeclaration, work: (collection: Collection) => Promise<void>): Promise<void> {
  await withEngine("sqlite", (engine) =>
    withOpened(
      () => engine.open(declaration),
      ({ collection }) => work(collection),
    ),
  );
}

describe("SQLite", () => {
  it.each([1, 2, 3, 4])("two tenants never meet, seed %i", { timeout: 60_000 }, async (seed) => {
    await withCollection(tenantDeclaration, (collection) => twoTenants(collection, { steps: 300, seed }));
  });
  it("hostile texts match and change nothing", { timeout: 60_000 }, async () => {
    await withCollection(hostileDeclaration, (collection) => hostileValues(collection, { count: 600, seed: 7 }));
  });
});

describe.each([
  { engine: "postgres", requirement: postgres18, steps: 300, texts: 400 },
  { engine: "mariadb", requirement: mariadb, steps: 300, texts: 400 },
  { engine: "milvus", requirement: milvusLite, steps: 30, texts: 60 },
])("$engine", ({ engine, requirement, steps, texts }) => {
  describeWithServer(requirement, () => {
    it("two tenants never meet, and hostile texts match and change nothing", { timeout: 180_000 }, async () => {
      await withEngine(engine, async ({ open }) => {
        await withOpened(
          () => open(tenantDeclaration),
          ({ collection }) => twoTenants(collection, { steps, seed: 5 }),
        );
        await withOpened(
          () => open(hostileDeclaration),
          ({ collection }) => hostileValues(collection, { count: texts, seed: 9 }),
        );
      });
    });
  });
});

describe("a collection that mixes tenants up", () => {
  const fails = { code: "CONFORMANCE_FAILED" };
  it("is found by the tenants' walk", async () => {
    await withCollection(tenantDeclaration, async (collection) => {
      const mixed: Collection = { ...collection, query: (input, options) => collection.query({ ...input, filter: { tenant: "acme" } }, options) };
      await expect(twoTenants(mixed, { steps: 300, seed: 1 })).rejects.toMatchObject(fails);
    });
  });
  it("is found by hostile texts", async () => {
    await withCollection(hostileDeclaration, async (collection) => {
      const leaky: Collection = { ...collection, query: (_, options) => collection.query({ filter: { tenant: "home" } }, options) };
      await expect(hostileValues(leaky, { count: 100, seed: 1 })).rejects.toMatchObject(fails);
    });
  });
});
