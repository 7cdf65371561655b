import { identifierPattern, namePattern } from "../../schema/patterns.ts";
import type { JsonSchema } from "../contracts/json-schema.ts";
import type { ScalarNode } from "../document/document.ts";
import { describeRange, describeText } from "./describe-schema.ts";
import { matchesPattern } from "./matches-pattern.ts";
import { meetsFormat } from "./meets-format.ts";
import { type NodePlace, type NodeWalk, report, shownSpan } from "./node-walk.ts";

interface Within {
  readonly at: NodePlace;
  readonly walk: NodeWalk;
}

/** Tells whether a number is in a schema's range. */
export function meetsNumber(value: number, schema: JsonSchema): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  return (
    (minimum === undefined || value >= minimum) &&
    (maximum === undefined || value <= maximum) &&
    (exclusiveMinimum === undefined || value > exclusiveMinimum) &&
    (exclusiveMaximum === undefined || value < exclusiveMaximum) &&
    (multipleOf === undefined || isMultiple(value, multipleOf))
  );
}

/** Tells whether a text has a schema's length and form. */
export function meetsText(text: string, { minLength, maxLength, pattern, format }: JsonSchema): boolean {
  return (
    hasLength(text, minLength, maxLength) && (pattern === undefined || matchesPattern(text, pattern)) && (format === undefined || meetsFormat(text, format))
  );
}

/** Lengths are counted in characters; a text has at most as many as it has units. */
function hasLength(text: string, least: number = 0, most: number = Number.POSITIVE_INFINITY): boolean {
  if (text.length < least) return false;
  if ((least <= 1 || text.length >= 2 * least) && text.length <= most) return true;
  const length = [...text].length;
  return length >= least && length <= most;
}

/** Judges a number by its range. */
export function checkNumber(node: ScalarNode, schema: JsonSchema, { at, walk }: Within): void {
  const value = Number(node.value);
  if (meetsNumber(value, schema)) return;
  report(walk, "DITTO207", { span: shownSpan(node, at.key, walk), arguments: { place: at.label, range: describeRange(schema), found: value } });
}

/** Judges a text by its length, pattern and format. */
export function checkText(node: ScalarNode, schema: JsonSchema, { at, walk }: Within): void {
  if (meetsText(node.text, schema)) return;
  const span = shownSpan(node, at.key, walk);
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = schema;
  const length = [...node.text].length;
  if (length < minLength || length > maxLength) {
    const range = lengthRange(minLength, maxLength);
    report(walk, "DITTO209", { span, arguments: { place: at.label, range, found: length === 0 ? "empty" : characters(length) } });
  } else if ((pattern !== undefined && !matchesPattern(node.text, pattern)) || (format !== undefined && !meetsFormat(node.text, format))) {
    const suggestion = pattern === namePattern ? asName(node.text) : pattern === identifierPattern ? asIdentifier(node.text) : undefined;
    report(walk, "DITTO208", { span, arguments: { place: at.label, form: describeText(schema), found: node.text }, suggestion });
  }
}

/** The name that somebody meant who wrote capitals or spaces. */
function asName(text: string): string | undefined {
  const name = text
    .trim()
    .toLowerCase()
    .replace(/[\s.]+/gu, "-");
  return matchesPattern(name, namePattern) ? name : undefined;
}

/** The identifier that somebody meant who wrote hyphens or spaces. */
function asIdentifier(text: string): string | undefined {
  const name = text.trim().replace(/[\s.-]+/gu, "_");
  return name !== text && matchesPattern(name, identifierPattern) ? name : undefined;
}

/** Tells of a decimal fraction too whether it is a multiple: 0.3 is one of 0.1. */
function isMultiple(value: number, of: number): boolean {
  const quotient = value / of;
  return Math.abs(quotient - Math.round(quotient)) <= Number.EPSILON * Math.max(1, Math.abs(quotient)) * 4;
}

function lengthRange(least: number, most: number): string {
  if (most === Number.POSITIVE_INFINITY) return `at least ${characters(least)}`;
  return least === 0 ? `at most ${characters(most)}` : least === most ? `exactly ${characters(least)}` : `${least} to ${characters(most)}`;
}

function characters(count: number): string {
  return count === 1 ? "1 character" : `${count} characters`;
}
