/** A payload that lies in an {@link ArtifactStore}. */
export interface ArtifactReference {
  /** Given by the store; hard to guess. */
  readonly id: string;
  readonly sizeBytes: number;
}

/** Keeps payloads that are too large to travel inside a message. Both processes of a transport must reach the same one. */
export interface ArtifactStore {
  put(content: Uint8Array): Promise<ArtifactReference>;
  /** Undefined for what is not, or no longer, there. */
  get(reference: ArtifactReference): Promise<Uint8Array | undefined>;
  /** Removes it; one that is not there is none's fault. */
  delete(reference: ArtifactReference): Promise<void>;
}
