/** 3xx: references, roles, values from outside. */
export const referenceDiagnostics = {
  DITTO301: {
    severity: "error",
    title: "Unknown name",
    sentence: 'no <role> is called "<name>"',
  },
  DITTO302: {
    severity: "error",
    title: "Thing of another role",
    sentence: '"<name>" is a <found>, and <place> needs a <role>',
  },
  DITTO303: {
    severity: "error",
    title: "Circle of references",
    sentence: "these need each other: <cycle>",
  },
  DITTO304: {
    severity: "error",
    title: "Environment variable not set",
    sentence: "the environment variable <name> is not set",
  },
  DITTO305: {
    severity: "error",
    title: "Environment variable required",
    sentence: "the environment variable <name> is not set: <message>",
  },
  DITTO306: {
    severity: "error",
    title: "File value that cannot be read",
    sentence: 'the file "<path>" cannot be read: <reason>',
  },
  DITTO307: {
    severity: "error",
    title: "Value from outside at the wrong place",
    sentence: "<form> may stand in resources and plugin configuration only",
  },
  DITTO308: {
    severity: "error",
    title: "Value from outside of the wrong type",
    sentence: "the value of <source> is not <expected>, which <place> needs",
  },
  DITTO309: {
    severity: "error",
    title: "Malformed value from outside",
    sentence: "this is no value from outside: <problem>",
  },
  DITTO310: {
    severity: "error",
    title: "Unknown profile",
    sentence: 'no profile is called "<name>"',
  },
  DITTO311: {
    severity: "error",
    title: "Unknown variable",
    sentence: 'no variable of this file is called "<name>"',
  },
  DITTO312: {
    severity: "error",
    title: "Variable of the wrong type",
    sentence: 'the variable "<name>" is <expected>, not <found>',
  },
  DITTO313: {
    severity: "error",
    title: "No default strategy",
    sentence: 'the target "<target>" has several strategies and no default',
  },
  DITTO314: {
    severity: "error",
    title: "Unknown strategy",
    sentence: 'the target "<target>" has no strategy "<name>"',
  },
  DITTO315: {
    severity: "error",
    title: "Unknown target",
    sentence: 'no target is called "<name>"',
  },
  DITTO316: {
    severity: "error",
    title: "Choice needed",
    sentence: "the file has several <things>: <names>",
  },
  DITTO317: {
    severity: "error",
    title: "Result that is no branch",
    sentence: 'this gives "<name>", which is no branch',
  },
  DITTO318: {
    severity: "error",
    title: "Route without default",
    sentence: "<place> needs a default, for its result is not known beforehand",
  },
  DITTO319: {
    severity: "error",
    title: "Mapping needed",
    sentence: "memory.map must be written: <reason>",
  },
  DITTO320: {
    severity: "error",
    title: "Node served twice",
    sentence: 'the node <node> is served by this file itself and cannot come from "<worker>"',
  },
  DITTO321: {
    severity: "warning",
    title: "Never used",
    sentence: '<what> "<name>" is never used',
  },
  DITTO322: {
    severity: "error",
    title: "Unknown resource to replace",
    sentence: 'the application replaces "<name>", which is no resource of this file',
  },
  DITTO323: {
    severity: "error",
    title: "Origin not allowed",
    sentence: "the Sandbox does not allow <origin>",
  },
  DITTO324: {
    severity: "error",
    title: "Value from outside as structure",
    sentence: "a value from outside cannot stand for <found>",
  },
} as const;
