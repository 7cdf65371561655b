import type { FactWarning, JsonSchema } from "@codesoul-co/ditto/plugin";
import { CollectionFault } from "../sql/collection-fault.ts";

/** Where a database is and how it is spoken to. */
export interface PostgresConfiguration {
  readonly url?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly socket?: string | undefined;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly database?: string | undefined;
  readonly tls?: boolean | undefined;
  readonly ca?: string | undefined;
  readonly connections?: number | undefined;
  readonly waitTimeoutMs?: number | undefined;
  readonly connectTimeoutMs?: number | undefined;
  readonly statementTimeoutMs?: number | undefined;
  readonly embedded?: boolean | undefined;
  readonly folder?: string | undefined;
}

/** The schema of a connection's configuration. */
export const postgresSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    url: { description: "`postgres://user:password@host:5432/database`, in place of the parts.", type: "string", minLength: 1 },
    // No defaults here: what is left out must not stand beside a url.
    host: { description: "Its host; 127.0.0.1 unless said.", type: "string", minLength: 1 },
    port: { description: "Its port; 5432 unless said.", type: "integer", minimum: 1, maximum: 65_535 },
    socket: { description: "The folder of its Unix socket, in place of the host.", type: "string", minLength: 1 },
    user: { description: "Who logs in.", type: "string", minLength: 1 },
    password: { description: "The password; better from outside: `${env:NAME}`.", type: "string" },
    database: { description: "The database.", type: "string", minLength: 1 },
    tls: { description: "Encrypts, and checks the server's certificate.", type: "boolean", default: false },
    ca: { description: "The certificate authority as PEM, such as `${file:ca.pem}`; implies `tls`.", type: "string", minLength: 1 },
    connections: { description: "Most connections at the same time.", type: "integer", minimum: 1, maximum: 1000, default: 10 },
    waitTimeoutMs: { description: "Longest wait for a free connection.", type: "integer", minimum: 1, maximum: 3_600_000, default: 10_000 },
    connectTimeoutMs: { description: "Longest wait until a connection is made.", type: "integer", minimum: 1, maximum: 3_600_000, default: 5_000 },
    statementTimeoutMs: {
      description: "Longest time that reading takes at the server, which is told to end it then.",
      type: "integer",
      minimum: 1,
      maximum: 86_400_000,
      default: 60_000,
    },
    embedded: { description: "True for PostgreSQL inside this process (PGlite), without a server.", type: "boolean", default: false },
    folder: { description: "Where an embedded database is kept, from the pipeline's folder; left out, it is gone at the end.", type: "string", minLength: 1 },
  },
};

/** What the driver connects with. */
export interface PostgresAddress {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly database?: string | undefined;
  readonly ssl?: { readonly ca?: string | undefined; readonly rejectUnauthorized: boolean } | undefined;
}

/** What is wrong in a configuration beyond what its schema can say. */
export function configurationWarnings(written: PostgresConfiguration): readonly FactWarning[] {
  const warnings: FactWarning[] = [];
  const error = (pointer: string, message: string, hint?: string): void => {
    warnings.push({ pointer, severity: "error", message, ...(hint === undefined ? {} : { hint }) });
  };
  if (written.embedded === true) {
    for (const name of ["url", ...partNames] as const)
      if (written[name] !== undefined) error(`/${name}`, `"${name}" is a server's, and this database is embedded`);
    return warnings;
  }
  if (written.folder !== undefined) error("/folder", '"folder" is an embedded database\'s', "Add `embedded: true`, or leave it out.");
  if (written.url !== undefined) {
    for (const name of partNames)
      if (written[name] !== undefined) error(`/${name}`, `"${name}" stands beside a url, which says it already`, "Keep one of the two.");
    // A value from outside is null here, and is judged when it is known.
    if (typeof written.url === "string" && !written.url.includes("${")) {
      const { problem } = readUrl(written.url);
      if (problem !== undefined) error("/url", problem);
    }
    return warnings;
  }
  if (written.database === undefined) error("", "A connection needs a url, or at least a database; or it is `embedded: true`");
  if (written.socket !== undefined && written.host !== undefined) error("/host", '"host" stands beside a socket', "Keep one of the two.");
  return warnings;
}

/**
 * Reads where the server is.
 *
 * @throws CollectionFault `database` For a url that is none; its message names no part of it.
 */
export function readAddress(configuration: PostgresConfiguration, name: string): PostgresAddress {
  const { url, host = "127.0.0.1", port = 5432, socket, user, password, database, tls, ca } = configuration;
  const ssl = tls === true || ca !== undefined ? { ca, rejectUnauthorized: true } : undefined;
  if (url === undefined) return { host: socket ?? host, port, user, password, database, ssl };
  const read = readUrl(url);
  if (read.address === undefined) throw new CollectionFault("database", `The url of "${name}" cannot be used: ${read.problem}`);
  return { ...read.address, ssl: ssl ?? read.address.ssl };
}

const partNames = ["host", "port", "socket", "user", "password", "database"] as const;

type ReadUrl = { readonly address: PostgresAddress; readonly problem?: undefined } | { readonly address?: undefined; readonly problem: string };

function readUrl(text: string): ReadUrl {
  if (!URL.canParse(text)) return { problem: "it must look like postgres://user:password@host:5432/database" };
  const url = new URL(text);
  if (url.protocol !== "postgres:" && url.protocol !== "postgresql:") return { problem: "it must begin with postgres://" };
  const [user, password, database] = [decode(url.username), decode(url.password), decode(url.pathname.slice(1))];
  if (user === undefined || password === undefined || database === undefined) return { problem: "a % in its user, password or database must be written %25" };
  if (database === "" || (url.hostname === "" && !url.searchParams.has("host"))) return { problem: "it must name a host and a database" };
  const unknown = [...url.searchParams.keys()].find((key) => key !== "sslmode" && key !== "host");
  if (unknown !== undefined) return { problem: "it can have no parameters but sslmode and host" };
  const mode = url.searchParams.get("sslmode") ?? "disable";
  if (!Object.hasOwn(sslModes, mode)) return { problem: `its sslmode can be ${Object.keys(sslModes).join(", ")}` };
  return {
    address: {
      host: url.searchParams.get("host") ?? url.hostname.replace(/^\[(.*)\]$/, "$1"),
      port: url.port === "" ? 5432 : Number(url.port),
      user: user === "" ? undefined : user,
      password: password === "" ? undefined : password,
      database,
      ssl: sslModes[mode],
    },
  };
}

/** `require` encrypts without asking who answers, as everywhere where PostgreSQL is spoken to. */
const sslModes: Readonly<Record<string, PostgresAddress["ssl"]>> = {
  disable: undefined,
  require: { rejectUnauthorized: false },
  "verify-ca": { rejectUnauthorized: true },
  "verify-full": { rejectUnauthorized: true },
};

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
