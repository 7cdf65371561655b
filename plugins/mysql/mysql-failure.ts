import { CollectionFault, type EngineCodes } from "../sql/collection-fault.ts";

/** How MEMORY hears of a server that fails. */
export const mysqlCodes: EngineCodes = Object.freeze({ database: "MYSQL_UNAVAILABLE", busy: "MYSQL_BUSY" });

/** Tells whether the connection is gone, so that another one may do what this one could not. */
export function isLost(error: unknown): boolean {
  return lostCodes.has(codeOf(error)) || lostNumbers.has(numberOf(error)) || isFatal(error);
}

/** Tells whether the server gave a transaction up for the sake of another one. */
export function isDeadlock(error: unknown): boolean {
  return numberOf(error) === 1213;
}

/** Tells whether the server ended a statement because it was asked to, or because its time was over. */
export function isInterrupted(error: unknown): boolean {
  return numberOf(error) === 1317 || isTimeout(error);
}

/** Tells whether the server has no table of the name that was asked for. */
export function isMissingTable(error: unknown): boolean {
  return numberOf(error instanceof CollectionFault ? error.cause : error) === 1146;
}

/**
 * Says what the outside world did.
 *
 * @param name The connection's name in the pipeline, for messages.
 * @returns A fault, or the error itself where it is not the server's.
 */
export function toFault(error: unknown, name: string): unknown {
  if (error instanceof CollectionFault || !isDriverError(error)) return error;
  const server = `The MySQL server of "${name}"`;
  const busy = busyReasons[numberOf(error)];
  if (busy !== undefined) return new CollectionFault("busy", `${server} ${busy}`, { cause: error });
  if (isTimeout(error)) return new CollectionFault("busy", `${server} ended the statement: it took longer than it may`, { cause: error });
  if (numberOf(error) === duplicate) return new CollectionFault("conflict", "An id or key is in use already", { cause: error });
  const reason = reasons[numberOf(error)] ?? reasonsByCode[codeOf(error)] ?? (isLost(error) ? "closed the connection" : undefined);
  const number = numberOf(error);
  return new CollectionFault("database", `${server} ${reason ?? `refused a statement${number === 0 ? "" : ` (error ${number})`}`}`, { cause: error });
}

/**
 * Says why the server refuses a statement that an author wrote out: in the server's own words where these name tables and columns only,
 * and never a value.
 */
export function toAuthorsFault(error: unknown, name: string): unknown {
  const words = error instanceof Error && wordsWithoutValues.has(numberOf(error)) ? error.message : undefined;
  if (words === undefined) return toFault(error, name);
  return new CollectionFault("database", `The MySQL server of "${name}" refused the statement: ${words}`, { cause: error });
}

const duplicate = 1062;

/** Of the network, and of mysql2 itself. */
const lostCodes: ReadonlySet<string> = new Set(["PROTOCOL_CONNECTION_LOST", "PROTOCOL_SEQUENCE_TIMEOUT", "ECONNRESET", "EPIPE"]);
/** Server shut down, gone away, lost during a query, killed (MariaDB), idle for too long (MySQL). */
const lostNumbers: ReadonlySet<number> = new Set([1053, 2006, 2013, 1927, 4031]);

const busyReasons: Readonly<Record<number, string>> = {
  1040: "takes no more connections",
  1203: "takes no more connections of this user",
  1226: "takes no more connections of this user",
  1205: "waited too long for a lock that somebody else holds",
  1213: "keeps giving the transaction up for the sake of others",
};

const reasons: Readonly<Record<number, string>> = {
  1021: "has no space left",
  1044: "does not let this user into the database",
  1045: "does not accept user and password",
  1049: "has no database of that name",
  1114: "has no space left",
  1142: "does not allow this user to do that",
  1143: "does not allow this user to do that",
  1146: "lacks a table",
  1191: "has no FULLTEXT index of these columns",
  1153: "takes no packet that large: raise its max_allowed_packet",
  1227: "does not allow this user to do that",
  1290: "can only be read",
  1317: "ended the statement because somebody asked it to",
  1698: "does not accept user and password",
  1792: "can only be read",
  1836: "can only be read",
};

const reasonsByCode: Readonly<Record<string, string>> = {
  ECONNREFUSED: "is not there: the connection was refused",
  ENOTFOUND: "is not there: its host name is unknown",
  EAI_AGAIN: "is not there: its host name is unknown",
  EHOSTUNREACH: "is not there: its host cannot be reached",
  ENETUNREACH: "is not there: its host cannot be reached",
  ETIMEDOUT: "did not answer in time",
  ENOENT: "is not there: its socket does not exist",
  EACCES: "is not there: its socket may not be opened",
  HANDSHAKE_NO_SSL_SUPPORT: "does not offer TLS",
  HANDSHAKE_SSL_ERROR: "failed the TLS handshake",
  ER_NET_PACKET_TOO_LARGE: "takes no packet that large: raise its max_allowed_packet",
};

/** Unknown column, table, function; syntax; missing or ambiguous names; no full-text index for MATCH; grouping. */
const wordsWithoutValues: ReadonlySet<number> = new Set([
  1046, 1052, 1054, 1055, 1056, 1064, 1066, 1109, 1111, 1128, 1140, 1146, 1191, 1210, 1214, 1222, 1235, 1241, 1242, 1247, 1248, 1250, 1305, 1318, 1327, 1582,
]);

function isTimeout(error: unknown): boolean {
  return numberOf(error) === 1969 || numberOf(error) === 3024;
}

/** What has neither a number of the server nor a code of the network was not done by either. */
function isDriverError(error: unknown): boolean {
  return error instanceof Error && (numberOf(error) !== 0 || codeOf(error) !== "" || isFatal(error));
}

/** mysql2 marks errors behind which a connection cannot be used any more. */
function isFatal(error: unknown): boolean {
  return typeof error === "object" && error !== null && "fatal" in error && error.fatal === true && numberOf(error) === 0 && !(codeOf(error) in reasonsByCode);
}

function numberOf(error: unknown): number {
  const number = typeof error === "object" && error !== null && "errno" in error ? error.errno : undefined;
  // The network's own numbers are negative.
  return typeof number === "number" && number > 0 ? number : 0;
}

function codeOf(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}
