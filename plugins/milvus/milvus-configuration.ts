import type { FactWarning, JsonSchema } from "@codesoul-co/ditto/plugin";

/** Where a server is and how it is spoken to. */
export interface MilvusConfiguration {
  readonly address: string;
  readonly token?: string | undefined;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly database?: string | undefined;
  readonly tls?: boolean | undefined;
  readonly connectTimeoutMs?: number | undefined;
  readonly timeoutMs?: number | undefined;
  readonly loadTimeoutMs?: number | undefined;
}

const milliseconds = (description: string, preset: number): JsonSchema => ({
  description,
  type: "integer",
  minimum: 1,
  maximum: 86_400_000,
  default: preset,
});

/** The schema of a connection's configuration. */
export const milvusSchema: JsonSchema = {
  type: "object",
  required: ["address"],
  additionalProperties: false,
  properties: {
    address: { description: "`host:port`, or `https://host:port` for a server with TLS.", type: "string", minLength: 1 },
    token: { description: "An API key, or `user:password`; better from outside: `${env:NAME}`.", type: "string" },
    user: { description: "Who logs in.", type: "string", minLength: 1 },
    password: { description: "The password; better from outside: `${env:NAME}`.", type: "string" },
    database: { description: "The server's database; its `default` unless said.", type: "string", minLength: 1 },
    tls: { description: "Encrypts, and checks the server's certificate.", type: "boolean", default: false },
    connectTimeoutMs: milliseconds("Longest wait until a connection is made.", 10_000),
    timeoutMs: milliseconds("Longest wait for one answer of the server.", 30_000),
    loadTimeoutMs: milliseconds("Longest wait until a collection is loaded, or its index made.", 300_000),
  },
};

/** What is wrong in a configuration beyond what its schema can say. */
export function configurationWarnings({ token, user, password }: MilvusConfiguration): readonly FactWarning[] {
  const warnings: FactWarning[] = [];
  const error = (pointer: string, message: string, hint: string): void => {
    warnings.push({ pointer, severity: "error", message, hint });
  };
  if (token !== undefined && user !== undefined) error("/user", '"user" stands beside a token, which says it already', "Keep one of the two.");
  if (user === undefined && password !== undefined) error("/password", "A password needs a user", "Name the user too, or write a token.");
  return warnings;
}
