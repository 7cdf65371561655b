import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { isRecord } from "../base/is-record.ts";
import type { JsonObject, JsonValue } from "../contracts/json.ts";
import type { CliContext } from "./cli-context.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Reads the JSON of an option: written out, `@FILE`, or `-` for standard input.
 *
 * @param value What follows the option.
 * @param option The option's name, such as `--input`.
 * @param context Where standard input and relative paths are.
 * @throws UsageError When it cannot be read or is no JSON, with the place.
 */
export async function readJsonOption(value: string, option: string, context: CliContext): Promise<JsonValue> {
  const source = await sourceOf(value, option, context);
  try {
    return JSON.parse(source.text) as JsonValue;
  } catch (error) {
    throw new UsageError(`${option}: ${source.name} is no JSON${placeOf(source.text, error)}`, {
      hint: `write ${option} '{"name": "value"}', ${option} @FILE, or ${option} - for standard input`,
    });
  }
}

/** Reads a JSON object that is written out on the command line. */
export function readJsonObject(value: string, option: string): JsonObject {
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch (error) {
    throw new UsageError(`${option}: this is no JSON${placeOf(value, error)}`, { hint: `write ${option} '{"field": "value"}'` });
  }
  if (!isRecord(parsed)) throw new UsageError(`${option} takes a JSON object`, { hint: `write ${option} '{"field": "value"}'` });
  return parsed as JsonObject;
}

async function sourceOf(value: string, option: string, context: CliContext): Promise<{ readonly text: string; readonly name: string }> {
  if (value === "-") return { text: withoutMark(await text(context.stdin)), name: "standard input" };
  if (!value.startsWith("@")) return { text: value, name: "this" };
  const path = value.slice(1);
  try {
    return { text: withoutMark(await readFile(resolve(context.cwd, path), "utf8")), name: `"${path}"` };
  } catch (error) {
    throw new UsageError(`${option}: the file "${path}" ${reasonOf(error)}`);
  }
}

function withoutMark(content: string): string {
  return content.startsWith("\ufeff") ? content.slice(1) : content;
}

/** Why a file cannot be read, as the end of a sentence. */
export function reasonOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null)?.code;
  if (code === "ENOENT") return "does not exist";
  if (code === "EISDIR") return "is a folder";
  return code === "EACCES" ? "may not be read" : `cannot be read (${String(code)})`;
}

/** Newer versions of Node tell the position in the message; without it the end is named where the text ends early. */
function placeOf(content: string, error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  if (content.trim() === "") return ": it is empty";
  const position = /at position (\d+)/u.exec(message)?.[1];
  if (position === undefined) return message.includes("end of JSON") ? ": it ends too early" : "";
  const before = content.slice(0, Number(position)).split("\n");
  return `, line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
