import type { JsonSchema } from "../../contracts/json-schema.ts";
import { joinSchemas } from "./join-schemas.ts";

/**
 * What all of several schemas have in common: objects become one, in which what one of them may lack, all may lack.
 *
 * @param schemas Without references.
 */
export function commonSchema(schemas: readonly JsonSchema[]): JsonSchema {
  if (!schemas.every(({ properties }) => properties !== undefined)) return joinSchemas(schemas);
  const names = [...new Set(schemas.flatMap(({ properties = {} }) => Object.keys(properties)))];
  const properties = names.map((name) => {
    const members = schemas.flatMap((schema) => schema.properties?.[name] ?? []);
    return [name, members.every((member) => member.properties !== undefined) ? commonSchema(members) : joinSchemas(members)] as const;
  });
  const required = names.filter((name) => schemas.every((schema) => schema.required?.includes(name) === true));
  return { type: "object", properties: Object.fromEntries(properties), required, additionalProperties: false };
}
