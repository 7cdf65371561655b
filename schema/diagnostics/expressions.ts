/** 4xx: expressions. */
export const expressionDiagnostics = {
  DITTO401: {
    severity: "error",
    title: "Not an expression",
    sentence: "<problem>",
  },
  DITTO402: {
    severity: "error",
    title: "Expression without end",
    sentence: 'this expression has no closing "}"',
  },
  DITTO403: {
    severity: "error",
    title: "Empty expression",
    sentence: "there is no expression between the braces",
  },
  DITTO404: {
    severity: "error",
    title: "Unknown name",
    sentence: '"<name>" is not known here',
  },
  DITTO405: {
    severity: "error",
    title: "Unknown function",
    sentence: 'no function is called "<name>"',
  },
  DITTO406: {
    severity: "error",
    title: "Unknown member",
    sentence: '<type> has no member "<name>"',
  },
  DITTO407: {
    severity: "error",
    title: "Optional member",
    sentence: '"<name>" may be absent',
  },
  DITTO408: {
    severity: "error",
    title: "Wrong argument",
    sentence: "<function> takes <expected> here, not <found>",
  },
  DITTO409: {
    severity: "error",
    title: "Wrong operands",
    sentence: "<operator> does not take <found>",
  },
  DITTO410: {
    severity: "error",
    title: "Wrong result",
    sentence: "this gives <found>, and <place> needs <expected>",
  },
  DITTO411: {
    severity: "error",
    title: "Absent value",
    sentence: "this may be absent, and <place> needs a value",
  },
  DITTO412: {
    severity: "error",
    title: "No expression here",
    sentence: "no expression can stand in <place>",
  },
  DITTO413: {
    severity: "error",
    title: "Bad regular expression",
    sentence: "this regular expression is not valid: <problem>",
  },
  DITTO414: {
    severity: "error",
    title: "Wrong number of arguments",
    sentence: "<function> takes <expected>, not <found>",
  },
  DITTO415: {
    severity: "warning",
    title: "Always the same",
    sentence: "this is always <result>: <reason>",
  },
  DITTO416: {
    severity: "error",
    title: "Number too large to be exact",
    sentence: "<number> cannot be held exactly",
  },
  DITTO417: {
    severity: "error",
    title: "Name taken",
    sentence: '"<name>" is in use here already',
  },
  DITTO418: {
    severity: "error",
    title: "Key written twice",
    sentence: 'the key "<key>" is written twice',
  },
  DITTO419: {
    severity: "error",
    title: "Value that makes no text",
    sentence: "<found> cannot stand inside a text",
  },
  DITTO420: {
    severity: "error",
    title: "Member missing",
    sentence: 'the result for <place> lacks "<key>"',
  },
  DITTO421: {
    severity: "error",
    title: "Member not allowed",
    sentence: 'the result for <place> has an unknown member "<key>"',
  },
  DITTO422: {
    severity: "error",
    title: "Expression too large",
    sentence: "this expression is larger than allowed: <limit>",
  },
  DITTO423: {
    severity: "error",
    title: "Not callable like this",
    sentence: "<name> is called as <form>",
  },
} as const;
