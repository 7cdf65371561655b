import type { Declaration } from "./declaration.ts";
import { typeName } from "./field-type.ts";

/** The declaration that data were made under; it is kept beside them as JSON. */
export interface StoredDeclaration {
  /** Version of the tables' layout; each engine counts its own. */
  readonly layout: number;
  /** The analyzer's fingerprint. */
  readonly analysis: string;
  readonly namespace: string | null;
  readonly model: string | null;
  /** Null until the first vector is written. */
  readonly dimensions: number | null;
  readonly fields: Readonly<Record<string, StoredField>>;
  /** How vectors are kept, for an engine that has several ways; chosen when the tables are made. */
  readonly vectors?: string | undefined;
}

/** A field as it is kept. */
interface StoredField {
  readonly type: string;
  /** Whether every row has a value. */
  readonly guaranteed: boolean;
}

/** How a declaration fits the data. */
export interface Agreement {
  /** Reasons why it does not, each a public sentence with both values; none where it fits. */
  readonly problems: readonly Problem[];
  /** Optional fields that the data do not know yet. */
  readonly newFields: readonly string[];
}

/** A reason, and whether `ditto setup --apply` can end it. */
interface Problem {
  readonly message: string;
  readonly repairable: boolean;
}

/** What is to be kept for a declaration. */
export function describeDeclaration(declaration: Declaration, engine: { readonly layout: number; readonly analysis: string }): StoredDeclaration {
  const { facts } = declaration;
  const fields = declaration.fields.map((field) => {
    const guaranteed = field.required || field.fallback !== undefined;
    return [field.name, { type: typeName(field.type), guaranteed }] as const;
  });
  return {
    layout: engine.layout,
    analysis: engine.analysis,
    namespace: facts.namespace ?? null,
    model: facts.embedding?.model ?? null,
    dimensions: facts.embedding?.dimensions ?? null,
    fields: Object.fromEntries(fields),
  };
}

/**
 * Compares a declaration with the one that the data were made under.
 *
 * A new optional field is fine, and so is a field that is no longer guaranteed; everything else is a problem.
 */
export function compareDeclarations(name: string, stored: StoredDeclaration, declared: StoredDeclaration): Agreement {
  const problems: Problem[] = [];
  const differ = (what: string, was: unknown, is: unknown, way: Way): void => {
    problems.push({
      message: `Collection "${name}" was made with ${what} ${show(was)}, but ${show(is)} is declared; ${wayOut[way]}`,
      repairable: way === "setup",
    });
  };
  if (stored.layout !== declared.layout) differ("table layout", stored.layout, declared.layout, "again");
  if (stored.namespace !== declared.namespace) differ("namespace", stored.namespace, declared.namespace, "again");
  if (stored.model !== declared.model) differ("embedding model", stored.model, declared.model, "copy");
  else if (stored.dimensions !== null && declared.dimensions !== null && stored.dimensions !== declared.dimensions) {
    differ("vectors of dimension", stored.dimensions, declared.dimensions, "copy");
  }
  if (stored.analysis !== declared.analysis) differ("text analysis", stored.analysis, declared.analysis, "setup");
  const newFields: string[] = [];
  for (const [field, is] of Object.entries(declared.fields)) {
    const was = Object.hasOwn(stored.fields, field) ? stored.fields[field] : undefined;
    if (was === undefined && !is.guaranteed) newFields.push(field);
    else if (was?.type !== is.type) differ(`field "${field}" of type`, was?.type ?? null, is.type, "setup");
    else if (is.guaranteed && !was.guaranteed) differ(`field "${field}"`, "optional", "required or with a default", "setup");
  }
  for (const [field, was] of Object.entries(stored.fields)) {
    if (!Object.hasOwn(declared.fields, field)) differ(`field "${field}" of type`, was.type, null, "setup");
  }
  return { problems, newFields };
}

type Way = "setup" | "copy" | "again";

const wayOut: Readonly<Record<Way, string>> = {
  setup: "`ditto setup FILE --apply` makes the table fit, without embedding again",
  copy: "give it another `table` and ingest again, or embed the old one anew with `ditto copy`",
  again: "give it another `table` and ingest again",
};

function show(value: unknown): string {
  return value === null ? "none" : typeof value === "number" ? String(value) : `"${String(value)}"`;
}
