import { createHash, timingSafeEqual } from "node:crypto";
import type { ServeRight, ServeToken } from "../configuration/read-tokens.ts";
import { HttpFault } from "./http-fault.ts";

/** Who asks, and what that allows. */
export interface Caller {
  /** The token's name; undefined where no token is needed. */
  readonly name: string | undefined;
  /** The only scope that it reads and writes; undefined: any. */
  readonly namespace: string | undefined;
  may(right: ServeRight): boolean;
  opens(pipeline: string): boolean;
}

/** Finds out who asks. */
export type Authenticate = (authorization: string | undefined) => Caller;

const anybody: Caller = Object.freeze({ name: undefined, namespace: undefined, may: () => true, opens: () => true });

/**
 * Makes the door for a list of tokens; without any, everybody may do everything.
 *
 * The time of a comparison tells nothing of a token: digests of equal length are compared, always all of them.
 *
 * @throws HttpFault 401 from what it returns, for a token that is missing or none of them.
 */
export function authenticator(tokens: readonly ServeToken[]): Authenticate {
  if (tokens.length === 0) return () => anybody;
  const known = tokens.map((token) => ({ digest: digest(token.reveal()), caller: callerOf(token) }));
  return (authorization) => {
    const brought = digest(/^bearer +(\S+) *$/iu.exec(authorization ?? "")?.[1] ?? "");
    let found: Caller | undefined;
    for (const each of known) if (timingSafeEqual(each.digest, brought)) found = each.caller;
    if (found !== undefined) return found;
    const message = authorization === undefined ? "A bearer token is needed" : "The token is not known here";
    throw new HttpFault({ status: 401, code: "SERVE_UNAUTHORIZED" }, message, { headers: { "www-authenticate": "Bearer" } });
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function callerOf({ name, namespace, pipelines, allow }: ServeToken): Caller {
  const rights = new Set<ServeRight>(allow);
  const names = pipelines && new Set(pipelines);
  return Object.freeze({ name, namespace, may: (right) => rights.has(right), opens: (pipeline) => names?.has(pipeline) ?? true } satisfies Caller);
}

/**
 * Refuses what a caller may not do.
 *
 * @throws HttpFault 403
 */
export function assertMay(caller: Caller, right: ServeRight, pipeline?: string): void {
  if (caller.may(right) && (pipeline === undefined || caller.opens(pipeline))) return;
  throw new HttpFault({ status: 403, code: "SERVE_FORBIDDEN" }, "The token does not allow this");
}
