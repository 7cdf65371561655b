import { afterAll, beforeAll, expect, it } from "vitest";
import { describeWithServer } from "../servers/describe-with-server.ts";
import { milvusLite, type MilvusServer, startMilvus } from "../servers/milvus.ts";
import { contents, write } from "./support/ask.ts";
import { loadFixture } from "./support/load-fixture.ts";

describeWithServer(milvusLite, () => {
  let server: MilvusServer | undefined;
  beforeAll(async () => {
    server = await startMilvus();
  }, 130_000);
  afterAll(async () => await server?.stop(), 60_000);

  it("10-environments.yaml searches a Milvus server where the profile says so, with the same filter", { timeout: 90_000 }, async () => {
    const env = { MILVUS_ADDRESS: server?.address ?? "", MILVUS_TOKEN: "none", DITTO_SHARED_SANDBOX_ALLOW_NETWORK: "*" };
    const pipeline = await loadFixture("10-environments.yaml", { profile: "production", env });
    for (const port of Object.values(pipeline.setups)) await port.apply(new AbortController().signal);
    await write(pipeline, "kb", [
      { content: "How to request a refund", metadata: { lang: "en" } },
      { content: "So beantragen Sie eine Erstattung", metadata: { lang: "de" } },
    ]);
    expect(await contents(pipeline, "refund", { filter: { lang: "de" } })).toEqual(["So beantragen Sie eine Erstattung"]);
    expect(await contents(pipeline, "refund")).toHaveLength(2);
  });
});
