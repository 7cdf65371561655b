/** 5xx: graphs. */
export const graphDiagnostics = {
  DITTO501: {
    severity: "error",
    title: "Circle of nodes",
    sentence: "these nodes wait for each other: <cycle>",
  },
  DITTO502: {
    severity: "error",
    title: "Unknown node",
    sentence: 'no node of this graph is called "<name>"',
  },
  DITTO503: {
    severity: "error",
    title: "Node that nobody serves",
    sentence: "no worker serves the node <node>",
  },
  DITTO504: {
    severity: "error",
    title: "Neither node nor value",
    sentence: '"<id>" must have either "node" or "value"',
  },
  DITTO506: {
    severity: "error",
    title: "Unknown graph",
    sentence: 'no graph is called "<name>"',
  },
  DITTO507: {
    severity: "error",
    title: "Worker that does not serve the node",
    sentence: 'the worker "<worker>" does not serve <node>',
  },
  DITTO508: {
    severity: "warning",
    title: "Never read",
    sentence: 'nothing reads the value "<id>"',
  },
  DITTO509: {
    severity: "error",
    title: "Repetition that does not fit",
    sentence: 'the output of "<graph>" cannot be its next input: <problem>',
  },
  DITTO510: {
    severity: "error",
    title: "Choice of graph needed",
    sentence: "the file has several graphs: <names>",
  },
} as const;
