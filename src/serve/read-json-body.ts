import { isRecord } from "../base/is-record.ts";
import type { DataFault } from "../validation/compile-data-validator.ts";
import { HttpFault } from "./http-fault.ts";

/**
 * Reads a request's body as JSON.
 *
 * @param request Not read from yet.
 * @param maxBodyBytes Reading stops at the first byte over it.
 * @throws HttpFault 415 for another type, 413 for a longer body, 400 with the place for what is no JSON.
 */
export async function readJsonBody(request: Request, maxBodyBytes: number): Promise<unknown> {
  checkType(request.headers.get("content-type"));
  const bytes = await readBytes(request, maxBodyBytes);
  return parse(decode(bytes));
}

function checkType(header: string | null): void {
  const [type = "", ...parameters] = (header ?? "")
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  const isJson = type === "application/json" || /^application\/[\w.-]+\+json$/u.test(type);
  const isUtf8 = parameters.every((parameter) => !parameter.startsWith("charset=") || /^charset="?utf-?8"?$/u.test(parameter));
  if (isJson && isUtf8) return;
  throw new HttpFault({ status: 415, code: "SERVE_UNSUPPORTED_TYPE" }, "The body must be JSON in UTF-8: send content-type: application/json", {
    allowed: ["application/json"],
  });
}

async function readBytes(request: Request, maxBodyBytes: number): Promise<Uint8Array> {
  const announced = request.headers.get("content-length");
  if (announced !== null) {
    if (Number(announced) > maxBodyBytes) throw tooLarge(maxBodyBytes);
    // The server itself takes no byte more than was announced.
    return new Uint8Array(await request.arrayBuffer());
  }
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of request.body ?? []) {
    sizeBytes += (chunk as Uint8Array).byteLength;
    if (sizeBytes > maxBodyBytes) throw tooLarge(maxBodyBytes);
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks);
}

/** The rest of such a body is not worth waiting for. */
function tooLarge(maxBodyBytes: number): HttpFault {
  return new HttpFault({ status: 413, code: "SERVE_BODY_TOO_LARGE" }, `The body is longer than ${maxBodyBytes} bytes`, { headers: { connection: "close" } });
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw malformed([{ path: "", message: "it is not UTF-8" }]);
  }
}

function parse(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw malformed([{ path: "", message: placeOf(error, text) }]);
  }
  if (isDeeper(value, maxDepth)) throw malformed([{ path: "", message: `it is nested deeper than ${maxDepth} levels` }]);
  const huge = mayHoldHugeNumber.test(text) ? hugeNumbers(value, "") : [];
  if (huge.length > 0) throw malformed(huge);
  return value;
}

function malformed(details: readonly DataFault[]): HttpFault {
  return new HttpFault({ status: 400, code: "SERVE_MALFORMED_JSON" }, "The body is no JSON that can be read", { details });
}

/** Where V8 stopped reading; its sentence quotes the text, which may be long, so only the place is taken from it. */
function placeOf(error: unknown, text: string): string {
  const found = /at position (\d+)/u.exec(error instanceof Error ? error.message : "")?.[1];
  if (text.trim() === "") return "it is empty";
  const before = text.slice(0, found === undefined ? text.length : Number(found));
  const line = before.split("\n").length;
  const column = before.length - before.lastIndexOf("\n");
  return found === undefined || before.length === text.length
    ? `it ends too early, at line ${line}, column ${column}`
    : `line ${line}, column ${column} cannot stand there`;
}

/** Deeper than anything that is meant, and far from where a stack ends. */
const maxDepth = 100;

function isDeeper(value: unknown, left: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return left === 0 || Object.values(value).some((member) => isDeeper(member, left - 1));
}

/** Only a text with such digits is looked through. */
const mayHoldHugeNumber = /\d{16}|[eE]\+?\d{3}/u;

/** Numbers that a JavaScript number would silently change. */
function hugeNumbers(value: unknown, path: string): readonly DataFault[] {
  if (typeof value === "number") {
    const changed = !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
    return changed ? [{ path, message: "is too large to keep its digits; write it as a text" }] : [];
  }
  if (!Array.isArray(value) && !isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => hugeNumbers(member, `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`));
}
