import { isCodedError, MemoryError, RetrievalError } from "@codesoul-co/ditto/plugin";

/** What can go wrong in a collection, before it is told which part of the product asked. */
export type FaultKind =
  | "input"
  | "filter"
  | "cursor"
  | "conflict"
  | "not-found"
  | "embedding"
  /** The data were made under another declaration. */
  | "mismatch"
  /** A server has no tables for the collection yet. */
  | "missing"
  /** The database cannot be read or written. */
  | "database"
  /** The database is locked by somebody else for too long. */
  | "busy";

/** A failure with a public message; it leaves a collection as the coded error of MEMORY or of RETRIEVAL. */
export class CollectionFault extends Error {
  readonly kind: FaultKind;

  constructor(kind: FaultKind, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = "CollectionFault";
    this.kind = kind;
  }
}

/** Codes in which MEMORY tells of a database; each engine has its own. */
export interface EngineCodes {
  readonly database: string;
  readonly busy: string;
}

/**
 * Runs what MEMORY asked for; faults leave as `MemoryError`.
 *
 * The coded errors of an embedding keep code and message, which are public; everything else passes as it is and is hidden
 * further up.
 */
export async function asMemory<T>(codes: EngineCodes, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CollectionFault) throw new MemoryError(memoryCode(error.kind, codes), error.message, { cause: error });
    if (isCodedError(error, "retrieval")) throw new MemoryError(error.code, error.message, { cause: error });
    throw error;
  }
}

/**
 * Runs what RETRIEVAL asked for; faults leave as `RetrievalError`.
 *
 * A database that cannot be reached is `RETRIEVAL_BACKEND_ERROR`, on which a declared fallback acts.
 */
export async function asRetrieval<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CollectionFault) throw new RetrievalError(retrievalCode(error.kind), error.message, { cause: error });
    throw error;
  }
}

/** The code of a collection whose data were made under another declaration. */
const mismatchCode = "COLLECTION_MISMATCH";
/** The code of a collection that was never set up on its server. */
const missingCode = "COLLECTION_MISSING";

function memoryCode(kind: FaultKind, codes: EngineCodes): string {
  switch (kind) {
    case "input":
      return "INVALID_INPUT";
    case "filter":
      return "INVALID_FILTER";
    case "cursor":
      return "INVALID_CURSOR";
    case "conflict":
      return "CONFLICT";
    case "not-found":
      return "NOT_FOUND";
    case "embedding":
      return "INVALID_EMBEDDING";
    case "mismatch":
      return mismatchCode;
    case "missing":
      return missingCode;
    case "database":
      return codes.database;
    case "busy":
      return codes.busy;
  }
}

function retrievalCode(kind: FaultKind): string {
  switch (kind) {
    case "embedding":
      return "RETRIEVAL_INVALID_EMBEDDING";
    case "mismatch":
      return mismatchCode;
    case "missing":
      return missingCode;
    case "database":
    case "busy":
      return "RETRIEVAL_BACKEND_ERROR";
    default:
      return "RETRIEVAL_INVALID_INPUT";
  }
}
