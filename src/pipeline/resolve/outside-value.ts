import { readFileSync } from "node:fs";
import { resolve as resolvePath } from "node:path";
import { nearestName } from "../../base/nearest-names.ts";
import { createDiagnostic, type Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { EnvironmentPart, FilePart } from "../../expression/split-template.ts";
import type { Place } from "../model/place.ts";

interface At extends Place {
  readonly report: (diagnostic: Diagnostic) => void;
}

/** The text of `${env:NAME}`; undefined where there is none, which is reported. */
export function environmentValue(
  part: EnvironmentPart,
  { env, report, ...at }: At & { readonly env: Readonly<Record<string, string | undefined>> },
): string | undefined {
  const { name, fallback, message } = part;
  const found = env[name];
  if (found !== undefined && found !== "") return found;
  if (fallback !== undefined) return fallback;
  if (found !== undefined && message === undefined) return found;
  const set = Object.keys(env).filter((other) => env[other] !== undefined && env[other] !== "");
  const suggestion = nearestName(name, set);
  if (message !== undefined && message.trim() !== "") report(createDiagnostic("DITTO305", { ...at, arguments: { name, message: message.trim() }, suggestion }));
  else {
    const hint = suggestion === undefined ? `set ${name}, put it into .env, or write a default: \${env:${name}:-value}` : undefined;
    report(createDiagnostic("DITTO304", { ...at, arguments: { name }, suggestion, hint }));
  }
  return undefined;
}

/** The text of `${file:PATH}` without one line break at its end; undefined where it cannot be read, which is reported. */
export function fileValue(
  part: FilePart,
  { folder, reads, report, ...at }: At & { readonly folder: string; readonly reads: (path: string) => void },
): string | undefined {
  const path = resolvePath(folder, part.path);
  reads(path);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path)).replace(/\r?\n$/u, "");
  } catch (error) {
    report(createDiagnostic("DITTO306", { ...at, arguments: { path: part.path, reason: reasonOf(error) } }));
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  switch ((error as { readonly code?: unknown }).code) {
    case "ENOENT":
    case "ENOTDIR":
      return "it does not exist";
    case "EISDIR":
      return "it is a folder";
    case "EACCES":
    case "EPERM":
      return "reading it is not permitted";
    case "ERR_ENCODING_INVALID_ENCODED_DATA":
      return "it is not UTF-8 text";
    default:
      return "the system refuses";
  }
}
