import type { FieldType } from "../sql/field-type.ts";
import type { Condition } from "../sql/filter.ts";
import type { SqlValue } from "../sql/sql.ts";
import { compareBytes } from "./compare-bytes.ts";

/** Tells whether a value, as SQL columns keep it, meets a condition: for fields that have no column of their own. */
export function meetsCondition({ operator, values }: Condition, value: SqlValue, type: FieldType): boolean {
  if (operator === "exists") return (value !== null) === (values[0] === 1);
  if (value === null) return false;
  if (type.list) {
    const items = JSON.parse(String(value)) as readonly string[];
    const has = (each: string | number): boolean => items.includes(String(each));
    return operator === "all" ? values.every(has) : values.some(has);
  }
  const order = (other: string | number): number =>
    typeof value === "number" && typeof other === "number" ? value - other : compareBytes(String(value), String(other));
  const first = order(values[0] ?? "");
  switch (operator) {
    case "eq":
      return first === 0;
    case "ne":
      return first !== 0;
    case "gt":
      return first > 0;
    case "gte":
      return first >= 0;
    case "lt":
      return first < 0;
    case "lte":
      return first <= 0;
    default:
      return values.some((each) => order(each) === 0);
  }
}
