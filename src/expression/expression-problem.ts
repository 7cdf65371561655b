/** What each kind of problem names. All of it stands in the author's own file or schemas; nothing is a value from outside. */
export interface ExpressionProblemArguments {
  /** The text is no expression. `problem` is a sentence without a full stop. */
  readonly syntax: { readonly problem: string };
  /** `${` without its `}`. */
  readonly unterminated: Record<never, never>;
  /** `${ }`. */
  readonly empty: Record<never, never>;
  /** Larger, longer or deeper than allowed; `limit` says what the limit is. */
  readonly tooLarge: { readonly limit: string };
  /** An integer that a JSON number cannot hold exactly. */
  readonly inexactNumber: { readonly number: string };
  /** A malformed `${env:...}` or `${file:...}`. */
  readonly outsideValue: { readonly problem: string };
  readonly unknownName: { readonly name: string };
  readonly unknownFunction: { readonly name: string };
  /** A function that exists, called in the other way; `form` shows the right one. */
  readonly callForm: { readonly name: string; readonly form: string };
  /** `type` describes what was expected to have the member. */
  readonly unknownMember: { readonly type: string; readonly name: string };
  /** A declared optional member, read as if it were always there. */
  readonly optionalMember: { readonly name: string };
  /** A value that may be absent where a value is needed; `place` is undefined for the whole expression's place. */
  readonly absentValue: { readonly place: string | undefined };
  readonly wrongArgument: { readonly function: string; readonly found: string; readonly expected: string };
  readonly argumentCount: { readonly function: string; readonly expected: string; readonly found: number };
  readonly wrongOperands: { readonly operator: string; readonly found: string };
  /** The result, or a part of a literal result, does not meet the place's schema. */
  readonly wrongResult: { readonly found: string; readonly expected: string };
  readonly missingKey: { readonly key: string };
  readonly unknownKey: { readonly key: string };
  readonly duplicateKey: { readonly key: string };
  readonly regularExpression: { readonly problem: string };
  /** A warning: a comparison that can only come out one way. */
  readonly alwaysSame: { readonly result: string; readonly reason: string };
}

/** The kinds of problem. */
export type ExpressionProblemKind = keyof ExpressionProblemArguments;

/** A problem of one kind. */
export interface ExpressionProblemOf<K extends ExpressionProblemKind> {
  readonly kind: K;
  readonly severity: "error" | "warning";
  /** Where it is: offsets into the text that was parsed, plus the offset that was given with it; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly arguments: ExpressionProblemArguments[K];
  /** The name that was probably meant: put in place of the range, it repairs the expression. */
  readonly suggestion?: string | undefined;
  /** A sentence on the way out, such as the legal names. */
  readonly hint?: string | undefined;
}

/** Something that the author of an expression should change. */
export type ExpressionProblem = { [K in ExpressionProblemKind]: ExpressionProblemOf<K> }[ExpressionProblemKind];
