import { expect, it } from "vitest";
import { createDitto } from "../../src/runtime/create-ditto.ts";
import type { InvokeEnvelope } from "../../src/runtime/transport/invoke-envelope.ts";
import { deferred } from "./nodes.ts";

it("a remote worker is given no more calls at a time than its entry says, and counts among the full ones then", async () => {
  const gate = deferred();
  const sent: InvokeEnvelope[] = [];
  const transport = {
    id: "far",
    invoke: async (envelope: InvokeEnvelope) => {
      sent.push(envelope);
      await gate.promise;
      throw new Error("gone");
    },
  };
  const runtime = createDitto({ transports: [transport] });
  runtime.registerRemote({ address: { hostId: "h", processId: "p", workerId: "FAR" }, capabilities: ["TEST.ECHO"], transportId: "far", concurrency: 2 });
  const calls = [runtime.invoke("TEST.ECHO", 1), runtime.invoke("TEST.ECHO", 2)].map((call) => call.catch(() => "failed"));
  await expect(runtime.invoke("TEST.ECHO", 3)).rejects.toMatchObject({ code: "NO_WORKER_AVAILABLE", node: "TEST.ECHO" });
  expect(runtime.workers()).toMatchObject([{ active: 2, concurrency: 2 }]);
  gate.resolve();
  await Promise.all(calls);
  expect(sent).toHaveLength(2);
  expect(runtime.workers()).toMatchObject([{ active: 0 }]);
});
