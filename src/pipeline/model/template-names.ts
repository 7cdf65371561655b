import { expressionsOf } from "./expressions-of.ts";
import { freeNames } from "./free-names.ts";
import type { Template } from "./template.ts";

/** The names that a template's expressions read from their place. */
export function templateNames(template: Template): ReadonlySet<string> {
  return new Set([...expressionsOf(template)].flatMap(({ part: { parsed } }) => (parsed === undefined ? [] : [...freeNames(parsed)])));
}
