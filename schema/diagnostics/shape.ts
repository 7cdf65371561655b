/** 2xx: shape. */
export const shapeDiagnostics = {
  DITTO201: {
    severity: "error",
    title: "Wrong type",
    sentence: "<place> must be <expected>, not <found>",
  },
  DITTO202: {
    severity: "error",
    title: "Value not allowed",
    sentence: "<place> must be one of <allowed>, not <found>",
  },
  DITTO203: {
    severity: "error",
    title: "Missing key",
    sentence: 'missing key "<key>" in <place>',
  },
  DITTO204: {
    severity: "error",
    title: "Unknown key",
    sentence: 'unknown key "<key>" in <place>',
  },
  DITTO205: {
    severity: "error",
    title: "Unknown kind",
    sentence: 'no <role> kind is called "<kind>"',
  },
  DITTO206: {
    severity: "error",
    title: "Not one kind",
    sentence: "<place> must have exactly one key, its kind, not <count>",
  },
  DITTO207: {
    severity: "error",
    title: "Number out of range",
    sentence: "<place> must be <range>, not <found>",
  },
  DITTO208: {
    severity: "error",
    title: "Text of the wrong form",
    sentence: '<place> must be <form>, not "<found>"',
  },
  DITTO209: {
    severity: "error",
    title: "Text of the wrong length",
    sentence: "<place> must be <range> long, not <found>",
  },
  DITTO210: {
    severity: "error",
    title: "Wrong number of members",
    sentence: "<place> must have <range>, not <found>",
  },
  DITTO211: {
    severity: "error",
    title: "Repeated item",
    sentence: "this item of <place> is there already",
  },
  DITTO212: {
    severity: "error",
    title: "None of the possible forms",
    sentence: "<place> must be <forms>",
  },
  DITTO213: {
    severity: "error",
    title: "Keys that exclude each other",
    sentence: '"<key>" cannot stand beside "<other>" in <place>',
  },
  DITTO214: {
    severity: "error",
    title: "Refused form",
    sentence: "<place> has a form that is not allowed here",
  },
  DITTO216: {
    severity: "error",
    title: "Kind of another role",
    sentence: '"<kind>" is a <found> kind, and <place> needs a <role>',
  },
  DITTO217: {
    severity: "error",
    title: "Configuration refused by its kind",
    sentence: "<finding>",
  },
  DITTO218: {
    severity: "warning",
    title: "Doubtful configuration",
    sentence: "<finding>",
  },
  DITTO219: {
    severity: "error",
    title: "Reserved name",
    sentence: '"<name>" is a reserved word and cannot name <what>',
  },
  DITTO221: {
    severity: "error",
    title: "Not a JSON Schema",
    sentence: "<place> is no JSON Schema: <problem>",
  },
  DITTO222: {
    severity: "error",
    title: "Keys of which one is needed",
    sentence: "<place> needs one of the keys <keys>",
  },
} as const;
