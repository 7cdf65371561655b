import { describe, expect, it } from "vitest";
import type { ArtifactStore } from "../../../src/runtime/transport/artifact-store.ts";
import { InMemoryArtifactStore } from "../../../src/runtime/transport/in-memory-artifact-store.ts";

describe("InMemoryArtifactStore", () => {
  it("puts, gets and deletes copies", async () => {
    const store: ArtifactStore = new InMemoryArtifactStore();
    const content = Uint8Array.of(1, 2, 3);
    const reference = await store.put(content);
    content[0] = 9;
    expect(reference.sizeBytes).toBe(3);
    expect(await store.get(reference)).toEqual(Uint8Array.of(1, 2, 3));
    await store.delete(reference);
    await store.delete(reference);
    expect(await store.get(reference)).toBeUndefined();
  });
});
