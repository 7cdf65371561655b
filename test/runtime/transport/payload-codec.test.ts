import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDitto } from "../../../src/runtime/create-ditto.ts";
import { InMemoryArtifactStore } from "../../../src/runtime/transport/in-memory-artifact-store.ts";
import type { InvokeEnvelope, InvokeTransport } from "../../../src/runtime/transport/invoke-envelope.ts";
import { PayloadCodec } from "../../../src/runtime/transport/payload-codec.ts";
import { testWorker } from "../test-worker.ts";

/** A store that counts what it holds. */
class CountingStore extends InMemoryArtifactStore {
  held = 0;
  override async put(content: Uint8Array) {
    this.held += 1;
    return super.put(content);
  }
  override async delete(reference: { readonly id: string; readonly sizeBytes: number }) {
    this.held -= 1;
    return super.delete(reference);
  }
}

describe("PayloadCodec", () => {
  it("gives every JSON value back, inline and by way of a store", async () => {
    const codecs = [new PayloadCodec(), new PayloadCodec(new InMemoryArtifactStore(), 1)];
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ noUnicodeString: false }), async (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value));
        for (const codec of codecs) expect(await codec.decode(await codec.encode(plain))).toEqual(plain);
      }),
    );
    for (const codec of codecs) expect(await codec.decode(await codec.encode(undefined))).toBeUndefined();
  });

  it("moves payloads over the limit, 65536 bytes by default, into the store", async () => {
    const codec = new PayloadCodec(new InMemoryArtifactStore());
    expect(await codec.encode("x".repeat(65_534))).toMatchObject({ kind: "inline" });
    expect(await codec.encode("x".repeat(65_535))).toMatchObject({ kind: "artifact", artifact: { sizeBytes: 65_537 } });
    expect(await codec.encode("é".repeat(32_768))).toMatchObject({ kind: "artifact" });
    expect(await new PayloadCodec(new InMemoryArtifactStore(), 10).encode("x".repeat(9))).toMatchObject({ kind: "artifact" });
  });

  it("leaves all payloads in the message where there is no store", async () => {
    expect(await new PayloadCodec(undefined, 1).encode("long")).toEqual({ kind: "inline", value: "long" });
  });

  it("cannot read an artifact without a store that has it", async () => {
    const payload = await new PayloadCodec(new InMemoryArtifactStore(), 1).encode("long");
    const missing = { code: "ARTIFACT_UNAVAILABLE" };
    await expect(new PayloadCodec().decode(payload)).rejects.toMatchObject(missing);
    await expect(new PayloadCodec(new InMemoryArtifactStore()).decode(payload)).rejects.toMatchObject(missing);
  });

  it("names the place that JSON would change", async () => {
    const cycle: Record<string, unknown> = {};
    cycle["self"] = [cycle];
    const codec = new PayloadCodec();
    const message = (value: unknown) => codec.encode(value).catch((error: Error) => error.message);
    expect(await message({ a: [{ "b/c": new Date() }] })).toContain("/a/0/b~1c");
    expect(await message(cycle)).toContain("/self/0");
    expect(await message(() => 1)).toContain("The payload cannot");
    const shared = { a: 1 };
    expect(await codec.encode({ once: shared, twice: shared, absent: undefined })).toMatchObject({ kind: "inline" });
  });

  it.each([0, 1.5, -1])("refuses the limit %s", (limit) => {
    expect(() => new PayloadCodec(undefined, limit)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });
});

describe("transport boundaries", () => {
  it("encode, and leave nothing behind in the store", async () => {
    const artifacts = new CountingStore();
    const envelopes: InvokeEnvelope[] = [];
    const near = createDitto({ hostId: "h", processId: "q", artifacts, inlineLimitBytes: 10, workers: [testWorker({ "TEST.ECHO": async (input) => input })] });
    const transport: InvokeTransport = {
      id: "direct",
      invoke: async (envelope) => {
        envelopes.push(envelope);
        return near.receive(JSON.parse(JSON.stringify(envelope)));
      },
    };
    const runtime = createDitto({ artifacts, inlineLimitBytes: 10, transports: [transport] });
    const address = { hostId: "h", processId: "q", workerId: "TEST" };
    runtime.registerRemote({ address, capabilities: ["TEST.ECHO", "TEST.WHO"], transportId: "direct" });
    const value = { text: "long enough" };
    expect(await runtime.invoke("TEST.ECHO", value)).toEqual(value);
    expect(envelopes[0]?.input.kind).toBe("artifact");
    await expect(runtime.invoke("TEST.WHO", value as never)).rejects.toMatchObject({ code: "CAPABILITY_NOT_OFFERED" });
    expect(artifacts.held).toBe(0);
    await Promise.all([near.close(), runtime.close()]);
  });

  it("take the response of a custom transport only if it is one, and this call's", async () => {
    const answers = [undefined, { protocol: 1, id: "other", ok: true, output: { kind: "inline" } }, { protocol: 1, id: "x", ok: false }];
    for (const answer of answers) {
      const transport: InvokeTransport = { id: "t", invoke: async () => answer as never };
      const runtime = createDitto({ transports: [transport] });
      runtime.registerRemote({ address: { hostId: "h", processId: "p", workerId: "w" }, capabilities: ["TEST.ECHO"], transportId: "t" });
      await expect(runtime.invoke("TEST.ECHO", 1)).rejects.toMatchObject({ code: "TRANSPORT_INVALID_RESPONSE" });
      await runtime.close();
    }
  });
});
