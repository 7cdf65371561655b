import type { FactWarning, JsonSchema } from "@codesoul-co/ditto/plugin";
import { CollectionFault } from "../sql/collection-fault.ts";

/** Where a server is and how it is spoken to. */
export interface MysqlConfiguration {
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
}

/** The schema of a connection's configuration. */
export const mysqlSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    url: { description: "`mysql://user:password@host:3306/database`, in place of the parts.", type: "string", minLength: 1 },
    host: { description: "Its host; 127.0.0.1 unless said.", type: "string", minLength: 1 },
    port: { description: "Its port; 3306 unless said.", type: "integer", minimum: 1, maximum: 65_535 },
    socket: { description: "Path of its Unix socket, in place of host and port.", type: "string", minLength: 1 },
    user: { description: "Who logs in.", type: "string", minLength: 1 },
    password: { description: "The password; better from outside: `${env:NAME}`.", type: "string" },
    database: { description: "The database.", type: "string", minLength: 1 },
    tls: { description: "Encrypts, and checks the server's certificate and host name.", type: "boolean", default: false },
    ca: { description: "The certificate authority as PEM, such as `${file:ca.pem}`; implies `tls`.", type: "string", minLength: 1 },
    connections: { description: "Most connections at the same time.", type: "integer", minimum: 1, maximum: 1000, default: 10 },
    waitTimeoutMs: { description: "Longest wait for a free connection.", type: "integer", minimum: 1, maximum: 3_600_000, default: 10_000 },
    connectTimeoutMs: { description: "Longest wait until a connection is made.", type: "integer", minimum: 1, maximum: 3_600_000, default: 5_000 },
    statementTimeoutMs: {
      description: "Longest time that a reading statement takes at the server, which ends it then.",
      type: "integer",
      minimum: 1,
      maximum: 86_400_000,
      default: 60_000,
    },
  },
};

/** What the driver connects with. */
export interface MysqlAddress {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly socketPath?: string | undefined;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly database?: string | undefined;
  readonly ssl?: { readonly ca?: string | undefined; readonly rejectUnauthorized: true; readonly verifyIdentity: true } | undefined;
}

/** What is wrong in a configuration beyond what its schema can say. */
export function configurationWarnings(written: MysqlConfiguration): readonly FactWarning[] {
  const warnings: FactWarning[] = [];
  const error = (pointer: string, message: string, hint?: string): void => {
    warnings.push({ pointer, severity: "error", message, ...(hint === undefined ? {} : { hint }) });
  };
  const parts = partNames.filter((name) => written[name] !== undefined);
  if (written.url !== undefined) {
    for (const name of parts) error(`/${name}`, `"${name}" stands beside a url, which says it already`, "Keep one of the two.");
    // A value from outside is null here, and is judged when it is known.
    if (typeof written.url === "string" && !written.url.includes("${")) {
      const problem = readUrl(written.url).problem;
      if (problem !== undefined) error("/url", problem);
    }
    return warnings;
  }
  if (written.database === undefined) error("", "A connection needs a url, or at least a database");
  if (written.socket !== undefined) {
    for (const name of ["host", "port"] as const)
      if (written[name] !== undefined) error(`/${name}`, `"${name}" stands beside a socket`, "Keep one of the two.");
  }
  return warnings;
}

/**
 * Reads where the server is.
 *
 * @throws CollectionFault `database` For a url that is none; its message names no part of it.
 */
export function readAddress(configuration: MysqlConfiguration, name: string): MysqlAddress {
  const { url, host = "127.0.0.1", port = 3306, socket, user, password, database, tls, ca } = configuration;
  const ssl = tls === true || ca !== undefined ? { ...checkedTls, ...(ca === undefined ? {} : { ca }) } : undefined;
  if (url === undefined) return { ...(socket === undefined ? { host, port } : { socketPath: socket }), user, password, database, ssl };
  const read = readUrl(url);
  if (read.address === undefined) throw new CollectionFault("database", `The url of "${name}" cannot be used: ${read.problem}`);
  return { ...read.address, ssl: ssl ?? read.address.ssl };
}

/** Without the second, any certificate of a known authority would do, whatever host it is for. */
const checkedTls = { rejectUnauthorized: true, verifyIdentity: true } as const;

const partNames = ["host", "port", "socket", "user", "password", "database"] as const;

type ReadUrl = { readonly address: MysqlAddress; readonly problem?: undefined } | { readonly address?: undefined; readonly problem: string };

function readUrl(text: string): ReadUrl {
  if (!URL.canParse(text)) return { problem: "it must look like mysql://user:password@host:3306/database" };
  const url = new URL(text);
  if (url.protocol !== "mysql:" && url.protocol !== "mariadb:") return { problem: "it must begin with mysql:// or mariadb://" };
  const database = decode(url.pathname.slice(1));
  if (database === undefined || database === "" || url.hostname === "") return { problem: "it must name a host and a database" };
  // What the driver would take for options of its own stays out: some of them change what statements mean.
  const unknown = [...url.searchParams.keys()].find((key) => key !== "tls" && key !== "ssl");
  if (unknown !== undefined) return { problem: "it can have no parameter but tls" };
  const [user, password] = [decode(url.username), decode(url.password)];
  if (user === undefined || password === undefined) return { problem: "a % in its user or password must be written %25" };
  const tls = ["tls", "ssl"].some((key) => url.searchParams.get(key) === "true");
  return {
    address: {
      host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
      port: url.port === "" ? 3306 : Number(url.port),
      user: user === "" ? undefined : user,
      password: password === "" ? undefined : password,
      database,
      ssl: tls ? checkedTls : undefined,
    },
  };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
