import { isRecord } from "../base/is-record.ts";
import type { JsonObject } from "../contracts/json.ts";
import type { InspectorRequest } from "./inspector-data.ts";

/** A request of the page that cannot be understood. */
export class InvalidRequest extends Error {}

type Body = Readonly<Record<string, unknown>>;

/**
 * Reads what the page asks.
 *
 * @throws InvalidRequest
 */
export function readRequest(body: Body): InspectorRequest {
  const query = readText(body, "query");
  const limit = body["limit"] ?? 10;
  if (!Number.isInteger(limit) || Number(limit) < 1 || Number(limit) > 100) throw new InvalidRequest("limit must be a whole number from 1 to 100");
  const filter = body["filter"];
  if (filter !== undefined && !isRecord(filter)) throw new InvalidRequest("filter must be an object");
  const texts = Object.fromEntries(
    ["target", "strategy", "namespace"].flatMap((name) => (body[name] === undefined || body[name] === "" ? [] : [[name, readText(body, name)]])),
  );
  return { query, ...texts, ...(filter === undefined ? {} : { filter: filter as JsonObject }), limit: Number(limit) };
}

/** @throws InvalidRequest For anything but a text that is not blank. */
export function readText(body: Body, name: string): string {
  const value = body[name];
  if (typeof value !== "string" || value.trim() === "") throw new InvalidRequest(`${name} must be a text that is not blank`);
  return value;
}

/** @throws InvalidRequest For anything but an object of positive numbers. */
export function readNumbers(body: Body, name: string): Readonly<Record<string, number>> {
  const value = body[name];
  if (!isRecord(value) || Object.values(value).some((weight) => typeof weight !== "number" || !(weight > 0)))
    throw new InvalidRequest(`${name} must be an object of positive numbers`);
  return value as Record<string, number>;
}
