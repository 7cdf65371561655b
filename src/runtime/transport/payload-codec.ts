import { findNonJson } from "../../base/find-non-json.ts";
import { isRecord } from "../../base/is-record.ts";
import { assertPositiveInteger } from "../assert-argument.ts";
import { RuntimeError } from "../runtime-error.ts";
import type { ArtifactReference, ArtifactStore } from "./artifact-store.ts";

/** A payload as it travels: in the message, or by reference. */
export type EncodedPayload =
  /** Without a value, the payload is `undefined`. */
  { readonly kind: "inline"; readonly value?: unknown } | { readonly kind: "artifact"; readonly artifact: ArtifactReference };

/**
 * Turns payloads into what a transport can carry and back.
 *
 * Only transport boundaries encode: a call within a process hands the very object over.
 *
 * @example
 * ```ts
 * const codec = new PayloadCodec(new InMemoryArtifactStore());
 * const value = await codec.decode(await codec.encode({ query: "agent memory" }));
 * ```
 */
export class PayloadCodec {
  readonly #store: ArtifactStore | undefined;
  readonly #inlineLimitBytes: number;

  /**
   * @param store Where payloads over the limit go; without one, all travel in the message.
   * @param inlineLimitBytes UTF-8 bytes of JSON, a positive integer, 65536 by default.
   * @throws RuntimeError `INVALID_ARGUMENT`
   */
  constructor(store?: ArtifactStore, inlineLimitBytes: number = 65_536) {
    assertPositiveInteger("inlineLimitBytes", inlineLimitBytes);
    this.#store = store;
    this.#inlineLimitBytes = inlineLimitBytes;
  }

  /**
   * @param value JSON, or undefined.
   * @throws RuntimeError `PAYLOAD_NOT_SERIALIZABLE` for what JSON would change: dates, NaN, instances, cycles.
   */
  async encode(value: unknown): Promise<EncodedPayload> {
    if (value === undefined) return { kind: "inline" };
    assertJson(value);
    if (this.#store === undefined) return { kind: "inline", value };
    const content = Buffer.from(JSON.stringify(value));
    if (content.byteLength <= this.#inlineLimitBytes) return { kind: "inline", value };
    return { kind: "artifact", artifact: await this.#store.put(content) };
  }

  /**
   * Reads a payload. An artifact is read once: it is deleted then.
   *
   * @throws RuntimeError `ARTIFACT_UNAVAILABLE` when there is no store here, or the store does not have it.
   */
  async decode(payload: EncodedPayload): Promise<unknown> {
    if (payload.kind === "inline") return payload.value;
    const content = await this.#store?.get(payload.artifact);
    if (content === undefined) throw new RuntimeError("ARTIFACT_UNAVAILABLE", "The payload is not in an artifact store here");
    await this.discard(payload);
    return JSON.parse(Buffer.from(content).toString("utf8"));
  }

  /** Gives up a payload that nobody will read. */
  async discard(payload: EncodedPayload): Promise<void> {
    if (payload.kind === "inline") return;
    try {
      await this.#store?.delete(payload.artifact);
    } catch {
      // What stays behind costs room in the store; the call that it belonged to is not worse for it.
    }
  }
}

/** Tells whether something that came from outside is an encoded payload. */
export function isEncodedPayload(value: unknown): value is EncodedPayload {
  if (!isRecord(value)) return false;
  if (value["kind"] === "inline") return true;
  const artifact = value["artifact"];
  return value["kind"] === "artifact" && isRecord(artifact) && typeof artifact["id"] === "string" && typeof artifact["sizeBytes"] === "number";
}

function assertJson(value: unknown): void {
  const place = findNonJson(value);
  if (place === undefined) return;
  const where = place === "" ? "The payload" : `The payload's member ${place}`;
  throw new RuntimeError("PAYLOAD_NOT_SERIALIZABLE", `${where} cannot cross to another process as JSON`);
}
