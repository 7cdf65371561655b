import { canonicalJson } from "../../base/canonical-json.ts";
import { deepFreeze } from "../../base/deep-freeze.ts";
import type { JsonValue } from "../../contracts/json.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import type { SourceFile } from "../../document/document.ts";
import { invariant } from "../../base/invariant.ts";
import { compileExpression } from "../../expression/compile-expression.ts";
import type { ExpressionFunction } from "../../expression/expression-function.ts";
import type { Evaluate } from "../../plugin/plugin-definition.ts";
import type { ExpressionPart, Template } from "../model/template.ts";

/** What expressions are compiled with. */
export interface CompileScope {
  /** `vars` by file: constants, folded in. */
  readonly vars: ReadonlyMap<SourceFile, Readonly<Record<string, JsonValue>>>;
  readonly functions: ReadonlyMap<string, ExpressionFunction>;
  /** What results must meet that could not be proved to. */
  readonly atRunTime: ReadonlyMap<ExpressionPart, JsonSchema>;
}

/**
 * Compiles a template to one function.
 *
 * A value that is absent leaves its key out of a mapping and its item out of a list; the whole is `undefined` where it is
 * absent itself. What holds no expression is made once, frozen, and given again and again.
 */
export function compileTemplate(template: Template, scope: CompileScope): Evaluate<JsonValue | undefined> {
  const compiled = compile(template, scope);
  return compiled.kind === "constant" ? () => compiled.value : compiled.evaluate;
}

type Compiled = { readonly kind: "constant"; readonly value: JsonValue } | { readonly kind: "dynamic"; readonly evaluate: Evaluate<JsonValue | undefined> };

function compile(template: Template, scope: CompileScope): Compiled {
  switch (template.kind) {
    case "constant":
      return { kind: "constant", value: template.value };
    case "expression":
      return { kind: "dynamic", evaluate: compilePart(template.expression, template.file, scope) };
    case "text":
      return { kind: "dynamic", evaluate: compileText(template, scope) };
    case "list":
      return compileList(template.items.map((item) => compile(item, scope)));
    case "map":
      return compileMap(template.entries.map(({ key, value }) => [key.text, compile(value, scope)] as const));
  }
}

function compilePart(part: ExpressionPart, file: SourceFile, scope: CompileScope): Evaluate<JsonValue | undefined> {
  invariant(part.parsed !== undefined, "only a plan without errors is compiled");
  const compiled = compileExpression(part.parsed, {
    constants: { vars: scope.vars.get(file) ?? {} },
    functions: scope.functions,
    expected: scope.atRunTime.get(part),
  });
  return (names) => compiled.evaluate(names);
}

function compileText(template: Extract<Template, { readonly kind: "text" }>, scope: CompileScope): Evaluate<string> {
  const parts = template.parts.map((part) => (typeof part === "string" ? part : compilePart(part, template.file, scope)));
  return (names) => {
    let text = "";
    for (const part of parts) {
      const value = typeof part === "string" ? part : part(names);
      text += typeof value === "string" ? value : canonicalJson(value);
    }
    return text;
  };
}

function compileList(items: readonly Compiled[]): Compiled {
  if (items.every((item) => item.kind === "constant")) return { kind: "constant", value: deepFreeze(items.map((item) => item.value)) };
  return {
    kind: "dynamic",
    evaluate: (names) => {
      const list: JsonValue[] = [];
      for (const item of items) {
        const value = item.kind === "constant" ? item.value : item.evaluate(names);
        if (value !== undefined) list.push(value);
      }
      return list;
    },
  };
}

function compileMap(entries: readonly (readonly [string, Compiled])[]): Compiled {
  if (entries.every(([, value]) => value.kind === "constant")) {
    return {
      kind: "constant",
      value: deepFreeze(Object.fromEntries(entries.map(([key, value]) => [key, (value as Extract<Compiled, { kind: "constant" }>).value]))),
    };
  }
  return {
    kind: "dynamic",
    evaluate: (names) => {
      const map: Record<string, JsonValue> = {};
      for (const [key, member] of entries) {
        const value = member.kind === "constant" ? member.value : member.evaluate(names);
        if (value !== undefined) map[key] = value;
      }
      return map;
    },
  };
}
