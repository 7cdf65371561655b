import type { BuiltinFunction } from "./builtin-function.ts";
import { languageFunctions } from "./language-functions.ts";
import { listFunctions } from "./list-functions.ts";
import { mathFunctions } from "./math-functions.ts";
import { textFunctions } from "./text-functions.ts";

/** Every function of the language by its name. */
export const builtinFunctions: ReadonlyMap<string, BuiltinFunction> = new Map(
  [...languageFunctions, ...textFunctions, ...listFunctions, ...mathFunctions].map((entry) => [entry.name, entry]),
);

/** How the forms that are part of the language's grammar are called. */
export const grammarForms: Readonly<Record<string, string>> = {
  has: "has(a.b)",
  coalesce: "coalesce(a.?b, d)",
  all: "xs.all(x, condition)",
  exists: "xs.exists(x, condition)",
  exists_one: "xs.exists_one(x, condition)",
  map: "xs.map(x, value)",
  filter: "xs.filter(x, condition)",
  sortBy: "xs.sortBy(x, key)",
};

/**
 * Names that nothing an expression sees may have: CEL's own words, and the namespaces of functions.
 *
 * Names in sight may equal a function's: `text` and `text(v)` are told apart.
 */
export const reservedNames: ReadonlySet<string> = new Set([
  ...["true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop"],
  ...["package", "namespace", "return", "var", "void", "while", "prototype", "__proto__", "math", "lists"],
]);
