/** Offsets into the expression's text; `end` is exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The comprehension macros. */
export type MacroName = "all" | "exists" | "exists_one" | "map" | "filter" | "sortBy";

/** The binary operators, except the logical ones. */
export type BinaryOperator = "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "+" | "-" | "*" | "/" | "%";

/** A number, string, boolean or null written out. */
export interface LiteralNode extends Range {
  readonly op: "literal";
  readonly value: string | number | boolean | null;
}

/** A name that the place sees, or a macro's variable. */
export interface NameNode extends Range {
  readonly op: "name";
  readonly name: string;
}

/** `a.b` or `a.?b`. */
export interface MemberNode extends Range {
  readonly op: "member";
  readonly receiver: ExpressionNode;
  readonly name: string;
  readonly optional: boolean;
  /** Where the member's name stands. */
  readonly token: Range;
}

/** `a[i]` or `a[?i]`. */
export interface IndexNode extends Range {
  readonly op: "index";
  readonly receiver: ExpressionNode;
  readonly index: ExpressionNode;
  readonly optional: boolean;
}

/** `f(a)`, `a.f(b)` or `math.f(a)`, whose name is then `math.f` and whose receiver is undefined. */
export interface CallNode extends Range {
  readonly op: "call";
  readonly name: string;
  readonly receiver: ExpressionNode | undefined;
  readonly arguments: readonly ExpressionNode[];
  /** Where the function's name stands. */
  readonly token: Range;
}

/** `has(a.b)`. */
export interface HasNode extends Range {
  readonly op: "has";
  readonly operand: ExpressionNode;
}

/** `coalesce(a, b)`: the first that is neither absent nor null. */
export interface CoalesceNode extends Range {
  readonly op: "coalesce";
  readonly choices: readonly ExpressionNode[];
}

/** `[a, b]`. */
export interface ListNode extends Range {
  readonly op: "list";
  readonly items: readonly ExpressionNode[];
}

/** `{"a": b}`. */
export interface MapNode extends Range {
  readonly op: "map";
  readonly entries: readonly { readonly key: ExpressionNode; readonly value: ExpressionNode }[];
}

/** `a ? b : c`. */
export interface ConditionalNode extends Range {
  readonly op: "conditional";
  readonly condition: ExpressionNode;
  readonly whenTrue: ExpressionNode;
  readonly whenFalse: ExpressionNode;
}

/** `a && b`, `a || b`. */
export interface LogicalNode extends Range {
  readonly op: "logical";
  readonly operator: "&&" | "||";
  readonly left: ExpressionNode;
  readonly right: ExpressionNode;
}

/** `a + b` and the like. */
export interface BinaryNode extends Range {
  readonly op: "binary";
  readonly operator: BinaryOperator;
  readonly left: ExpressionNode;
  readonly right: ExpressionNode;
  /** Where the operator stands. */
  readonly token: Range;
}

/** `!a`, `-a`. */
export interface UnaryNode extends Range {
  readonly op: "unary";
  readonly operator: "!" | "-";
  readonly operand: ExpressionNode;
}

/** `xs.map(x, f(x))` and the like. */
export interface ComprehensionNode extends Range {
  readonly op: "comprehension";
  readonly macro: MacroName;
  readonly source: ExpressionNode;
  readonly variable: string;
  /** The condition of `map(x, condition, body)`. */
  readonly filter: ExpressionNode | undefined;
  readonly body: ExpressionNode;
  readonly token: Range;
}

/** A node of an expression's syntax tree. */
export type ExpressionNode =
  | LiteralNode
  | NameNode
  | MemberNode
  | IndexNode
  | CallNode
  | HasNode
  | CoalesceNode
  | ListNode
  | MapNode
  | ConditionalNode
  | LogicalNode
  | BinaryNode
  | UnaryNode
  | ComprehensionNode;

/** An expression that was read: what `checkExpression` and `compileExpression` take. */
export interface ParsedExpression {
  /** The text between the braces. */
  readonly text: string;
  /** Added to every offset that is reported: where `text` begins in the scalar. */
  readonly offset: number;
  readonly root: ExpressionNode;
}
