import { ContextError } from "../../contracts/context-error.ts";

/** @throws ContextError `INVALID_INPUT` for anything but a positive safe integer. */
export function readPositiveInteger(value: unknown, name: string): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) return value;
  throw new ContextError("INVALID_INPUT", `${name} must be a positive integer`);
}
