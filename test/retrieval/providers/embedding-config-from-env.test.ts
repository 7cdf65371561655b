import { describe, expect, it } from "vitest";
import { embeddingConfigFromEnv } from "../../../src/retrieval/providers/embedding-config-from-env.ts";

const prefix = "DITTO_WORKER_RETRIEVAL_EMBEDDING_";

describe("embeddingConfigFromEnv", () => {
  it("returns baseUrl, model and apiKey", () => {
    const env = { [`${prefix}BASE_URL`]: "http://h/v1", [`${prefix}MODEL`]: "e5", [`${prefix}API_KEY`]: "k", OTHER: "x" };
    expect(embeddingConfigFromEnv(env)).toEqual({ baseUrl: "http://h/v1", model: "e5", apiKey: "k" });
  });

  it.each([undefined, "", "  "])("leaves out the key %j, as for local services", (key) => {
    const env = { [`${prefix}BASE_URL`]: "http://h/v1", [`${prefix}MODEL`]: "e5", [`${prefix}API_KEY`]: key };
    expect(embeddingConfigFromEnv(env)).not.toHaveProperty("apiKey");
  });

  it.each(["BASE_URL", "MODEL"])("wants %s", (name) => {
    for (const missing of [undefined, "", " "]) {
      const env = { [`${prefix}BASE_URL`]: "http://h/v1", [`${prefix}MODEL`]: "e5", [prefix + name]: missing };
      expect(() => embeddingConfigFromEnv(env)).toThrow(
        expect.objectContaining({ code: "RETRIEVAL_INVALID_INPUT", message: expect.stringContaining(prefix + name) }),
      );
    }
  });
});
