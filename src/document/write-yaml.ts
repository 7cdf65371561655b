import { stringify } from "yaml";
import type { JsonValue } from "../contracts/json.ts";

/**
 * Writes a value as YAML of this package's profile.
 *
 * @param value Any JSON value.
 * @returns The text, with a line break at the end; reading it gives the value back.
 */
export function writeYaml(value: JsonValue): string {
  return stringify(value, { version: "1.2", schema: "core", lineWidth: 0, aliasDuplicateObjects: false });
}
