import { CollectionFault, type EngineCodes } from "../sql/collection-fault.ts";

/** How MEMORY hears of a database that fails. */
export const postgresCodes: EngineCodes = Object.freeze({ database: "POSTGRES_UNAVAILABLE", busy: "POSTGRES_BUSY" });

/** PostgreSQL's code of an error (SQLSTATE), or Node's (`ECONNREFUSED`); empty where there is none. */
export function codeOf(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}

/** Tells whether the connection itself is gone, so that nothing more can be asked of it. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  // The driver's own errors have no code: all of them are about the connection.
  return code === ""
    ? error instanceof Error && !(error instanceof CollectionFault) && error.constructor === Error
    : /^(08|57P0[1-5])/.test(code) || isSystemCode(code);
}

/** Tells whether the transaction was given up for the sake of another one, and may be tried again. */
export function isWorthRepeating(error: unknown): boolean {
  return /^(40001|40P01)$/.test(codeOf(error));
}

/**
 * Says what the database did.
 *
 * @param shown The database as the pipeline names it.
 * @returns A fault, or the error itself where it is not the database's.
 */
export function toFault(error: unknown, shown: string): unknown {
  if (error instanceof CollectionFault) return error;
  const code = codeOf(error);
  const found = reasons.find(([pattern]) => pattern.test(code));
  if (found !== undefined) {
    const [, kind, reason] = found;
    return new CollectionFault(kind, reason(shown), { cause: error });
  }
  if (isConnectionLost(error)) return new CollectionFault("database", `${shown} cannot be reached: the connection failed`, { cause: error });
  if (isSqlState(code)) return new CollectionFault("database", `${shown} refused a statement (SQLSTATE ${code})`, { cause: error });
  return error;
}

type Reason = readonly [code: RegExp, kind: CollectionFault["kind"], message: (shown: string) => string];

const reasons: readonly Reason[] = [
  [/^(22021|22P05)$/, "input", () => "A text has a character that PostgreSQL cannot keep, such as U+0000"],
  [/^54000$/, "input", () => "An id, a key or a field's text is too long: PostgreSQL's indexes take about 2700 bytes"],
  [/^23505$/, "conflict", () => "A row with this id or key is there already"],
  [/^57014$/, "busy", (shown) => `${shown} gave up a statement that took longer than it may`],
  [/^(40001|40P01|55P03)$/, "busy", (shown) => `${shown} keeps being changed by others at the same place`],
  [/^53300$/, "busy", (shown) => `${shown} takes no more connections`],
  [/^53/, "database", (shown) => `${shown} has run out of space or memory`],
  [/^28/, "database", (shown) => `${shown} refused the login: user, password or permission to connect`],
  [/^3D000$/, "database", (shown) => `${shown} has no database of the name that is asked for`],
  [/^42501$/, "database", (shown) => `${shown} does not allow this to its user: a permission is missing`],
  [/^25006$/, "database", (shown) => `${shown} cannot be written: it is read-only`],
  [/^57P0[1-5]$/, "database", (shown) => `${shown} cannot be reached: the server ended the connection`],
  [/^58|^XX/, "database", (shown) => `${shown} failed inside`],
  [/^E[A-Z]+$|^CERT_|^UNABLE_TO_|_CERT/, "database", (shown) => `${shown} cannot be reached`],
];

function isSqlState(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code);
}

function isSystemCode(code: string): boolean {
  return /^E[A-Z]{4,}$/.test(code) || code.startsWith("ERR_");
}
