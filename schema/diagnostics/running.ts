/** 7xx: running. */
export const runningDiagnostics = {
  DITTO701: {
    severity: "error",
    title: "Resource that does not open",
    sentence: '"<name>" cannot be opened: <code>, <message>',
  },
  DITTO702: {
    severity: "error",
    title: "Setup needed",
    sentence: '"<name>" is not set up: <problem>',
  },
  DITTO703: {
    severity: "error",
    title: "Bad record",
    sentence: "record <line>: <problem>",
  },
  DITTO704: {
    severity: "error",
    title: "Same id twice",
    sentence: 'the id "<id>" of record <line> was used by record <other>',
  },
  DITTO705: {
    severity: "warning",
    title: "Text that is cut",
    sentence: "<count> texts are longer than the <limit> tokens that the encoder takes",
  },
  DITTO706: {
    severity: "error",
    title: "Input that does not fit",
    sentence: 'the input of "<graph>" does not fit: <problem>',
  },
  DITTO707: {
    severity: "error",
    title: "Records that cannot be read",
    sentence: 'the records "<path>" cannot be read: <reason>',
  },
  DITTO711: {
    severity: "error",
    title: "Setting out of range",
    sentence: "the environment variable <name> must be <expected>",
  },
  DITTO712: {
    severity: "error",
    title: "Unknown setting",
    sentence: "the environment variable <name> is no setting",
  },
  DITTO713: {
    severity: "error",
    title: "No configuration file",
    sentence: 'there is no file "<path>"',
  },
  DITTO714: {
    severity: "warning",
    title: "Pattern without files",
    sentence: 'no file matches "<pattern>"',
  },
  DITTO721: {
    severity: "error",
    title: "Test that failed",
    sentence: "<test>: <problem>",
  },
} as const;
