import { randomUUID } from "node:crypto";
import type { ArtifactReference, ArtifactStore } from "./artifact-store.ts";

/** Keeps artifacts in this process, until they are deleted. */
export class InMemoryArtifactStore implements ArtifactStore {
  readonly #contents = new Map<string, Uint8Array>();

  async put(content: Uint8Array): Promise<ArtifactReference> {
    const id = randomUUID();
    this.#contents.set(id, Uint8Array.from(content));
    return { id, sizeBytes: content.byteLength };
  }

  async get(reference: ArtifactReference): Promise<Uint8Array | undefined> {
    const content = this.#contents.get(reference.id);
    return content && Uint8Array.from(content);
  }

  async delete(reference: ArtifactReference): Promise<void> {
    this.#contents.delete(reference.id);
  }
}
