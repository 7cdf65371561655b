import { RetrievalError } from "../../contracts/retrieval-error.ts";

/** Where an embedding endpoint is and how it is asked. */
export interface EmbeddingEnvConfig {
  readonly baseUrl: string;
  readonly model: string;
  /** Absent where the variable is unset or empty, as for local servers. */
  readonly apiKey?: string;
}

/**
 * Reads the embedding endpoint from the environment.
 *
 * The variables are `DITTO_WORKER_RETRIEVAL_EMBEDDING_BASE_URL`, `..._MODEL` and `..._API_KEY`. Nothing else reads them, and no
 * `.env` file is loaded here.
 *
 * @param env The environment, such as `process.env`.
 * @returns `baseUrl`, `model`, and `apiKey` where it is set.
 * @throws RetrievalError `RETRIEVAL_INVALID_INPUT` naming the variable that is unset or blank.
 * @example
 * ```ts
 * const embedding = createHttpEmbeddingProvider({ ...embeddingConfigFromEnv(process.env), sandbox });
 * ```
 */
export function embeddingConfigFromEnv(env: Readonly<Record<string, string | undefined>>): EmbeddingEnvConfig {
  const apiKey = env[`${prefix}API_KEY`]?.trim();
  return {
    baseUrl: required(env, `${prefix}BASE_URL`),
    model: required(env, `${prefix}MODEL`),
    ...(apiKey === undefined || apiKey === "" ? {} : { apiKey }),
  };
}

const prefix = "DITTO_WORKER_RETRIEVAL_EMBEDDING_";

function required(env: Readonly<Record<string, string | undefined>>, name: string): string {
  const value = env[name]?.trim();
  if (value === undefined || value === "") throw new RetrievalError("RETRIEVAL_INVALID_INPUT", `The environment variable ${name} is not set`);
  return value;
}
