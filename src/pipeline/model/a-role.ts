import type { RoleName } from "../../contracts/json-schema.ts";

/** A role as it stands in a sentence: `an embedding`, `a memory store`. */
export function aRole(role: RoleName | "target"): string {
  const words = role.replace("-", " ");
  return `${/^[aeiou]/u.test(words) ? "an" : "a"} ${words}`;
}
