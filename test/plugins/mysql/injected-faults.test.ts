import { afterAll, beforeAll, expect, it } from "vitest";
import { describeWithServer } from "../../servers/describe-with-server.ts";
import { mariadb, type MariadbServer, startMariadb } from "../../servers/mariadb.ts";
import { openTestCollection } from "./open-test-collection.ts";
import { openTestDatabase } from "./open-test-database.ts";

describeWithServer(mariadb, () => {
  let server: MariadbServer;
  let connection: Awaited<ReturnType<typeof openTestDatabase>>;

  beforeAll(async () => {
    server = await startMariadb();
    connection = await openTestDatabase({ url: await server.createDatabase(), connections: 3 });
  }, 60_000);

  afterAll(async () => {
    await connection.close();
    await server.stop();
  });

  it("what is given up at any moment leaves rows, postings and counts in step, and every connection usable", async () => {
    const { collection } = await openTestCollection({}, { database: connection.database });
    const kept: string[] = [];
    for (let round = 0; round < 40; round += 1) {
      const controller = new AbortController();
      const id = `r${round}`;
      const writing = collection.records.replace([{ id, hash: "h", parts: [{ id, content: `tide harbour noon ${round}` }] }], { signal: controller.signal });
      // The loop turns a growing number of times, so that the call is met in a different place each time.
      for (let turn = 0; turn < round; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      controller.abort(new Error("given up"));
      await writing.then(
        () => kept.push(id),
        (error: unknown) => expect(error).toMatchObject({ message: "given up" }),
      );
    }
    const rows = await collection.query({ limit: 100 });
    expect(rows.items.map((item) => item.id)).toEqual([...kept].sort());
    const found = await collection.text.search({ query: { content: "tide" }, target: { name: "t" }, limit: 100 });
    expect(found.candidates.map(({ id }) => id).sort()).toEqual([...kept].sort());
    const [state] = await server.run(
      "SELECT c.documents = (SELECT count(*) FROM test1.kb) AS counted, (SELECT ifnull(sum(documents), 0) FROM test1.`kb$terms`) = (SELECT count(*) FROM test1.`kb$postings`) AS indexed " +
        "FROM test1.`ditto$collections` AS c WHERE c.name = 'kb'",
    );
    expect(state).toEqual([{ counted: 1, indexed: 1 }]);
  });

  it("connections that are killed under writers cost those writes, whole, and nothing else", async () => {
    const { collection } = await openTestCollection({ table: "killed" }, { database: connection.database });
    const kill = async () => {
      const [found] = await server.run("SELECT id FROM information_schema.processlist WHERE db = 'test1' AND id <> CONNECTION_ID()");
      for (const { id } of found as readonly { readonly id: number }[]) await server.run(`KILL CONNECTION ${id}`).catch(() => undefined);
    };
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, async (_, round) => {
        if (round % 4 === 3) await kill();
        else await collection.write({ memories: [{ content: `tide ${round}` }, { content: `noon ${round}` }] });
      }),
    );
    for (const result of results) if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "MYSQL_UNAVAILABLE" });
    const search = async (content: string) => (await collection.text.search({ query: { content }, target: { name: "t" }, limit: 100 })).candidates.length;
    const count = await collection.records.count();
    expect([await search("tide"), await search("noon")]).toEqual([count / 2, count / 2]);
  });
});
