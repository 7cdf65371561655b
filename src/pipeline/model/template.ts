import type { JsonValue } from "../../contracts/json.ts";
import type { DocumentNode, KeyNode, ScalarNode, SourceFile } from "../../document/document.ts";
import type { ParsedExpression } from "../../expression/parse-expression.ts";

/** JSON with expressions in it, as it stands under a place. */
export type Template = ConstantTemplate | ExpressionTemplate | TextTemplate | ListTemplate | MapTemplate;

/** A value without an expression. */
export interface ConstantTemplate {
  readonly kind: "constant";
  readonly value: JsonValue;
  readonly node: DocumentNode;
  readonly file: SourceFile;
}

/** A scalar that is exactly one expression: its value keeps its type. */
export interface ExpressionTemplate {
  readonly kind: "expression";
  readonly expression: ExpressionPart;
  readonly node: ScalarNode;
  readonly file: SourceFile;
}

/** A scalar with text around its expressions: always a string. */
export interface TextTemplate {
  readonly kind: "text";
  readonly parts: readonly (string | ExpressionPart)[];
  readonly node: ScalarNode;
  readonly file: SourceFile;
}

/** A list of templates. */
export interface ListTemplate {
  readonly kind: "list";
  readonly items: readonly Template[];
  readonly node: DocumentNode;
  readonly file: SourceFile;
}

/** A mapping of templates. */
export interface MapTemplate {
  readonly kind: "map";
  readonly entries: readonly { readonly key: KeyNode; readonly value: Template }[];
  readonly node: DocumentNode;
  readonly file: SourceFile;
}

/** One `${ ... }` in a scalar. */
export interface ExpressionPart {
  readonly source: string;
  /** Absent where it does not parse; that was reported. */
  readonly parsed: ParsedExpression | undefined;
  /** Offset of `source` in the scalar's decoded text. */
  readonly offset: number;
}
