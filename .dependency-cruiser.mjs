// The rooms of the house and what each may import. `docs/architecture.md` explains them; `test/house/layers.test.ts`
// proves that this table is obeyed, and that it would be noticed if it were not.

/** Rooms of `src` by what they may import besides themselves; `import type` counts. */
const rooms = {
  base: [],
  contracts: ["base"],
  document: ["base", "contracts"],
  diagnostics: ["base", "document"],
  validation: ["base", "contracts", "document", "diagnostics"],
  configuration: ["base", "contracts", "document", "diagnostics", "validation"],
  telemetry: ["base", "contracts"],
  runtime: ["base", "contracts"],
  worker: ["base", "contracts", "runtime"],
  retrieval: ["base", "contracts", "runtime", "worker"],
  expression: ["base", "contracts"],
  plugin: ["base", "contracts", "diagnostics", "document", "validation", "expression"],
  kinds: ["base", "contracts", "runtime", "worker", "retrieval", "plugin"],
  pipeline: ["base", "contracts", "document", "diagnostics", "validation", "expression", "plugin", "runtime"],
  ingest: ["base", "contracts", "pipeline"],
  live: [
    "base",
    "contracts",
    "document",
    "diagnostics",
    "validation",
    "configuration",
    "runtime",
    "worker",
    "retrieval",
    "plugin",
    "kinds",
    "pipeline",
    "ingest",
    "telemetry",
  ],
  explain: ["base", "contracts", "pipeline", "live"],
  picture: ["base", "contracts", "expression", "pipeline"],
  inspector: ["base", "contracts", "document", "diagnostics", "retrieval", "pipeline", "live", "explain", "picture"],
  evaluate: [
    "base",
    "contracts",
    "document",
    "diagnostics",
    "validation",
    "configuration",
    "runtime",
    "worker",
    "retrieval",
    "expression",
    "plugin",
    "kinds",
    "pipeline",
    "ingest",
    "live",
  ],
  serve: ["base", "contracts", "diagnostics", "validation", "configuration", "runtime", "retrieval", "expression", "pipeline", "ingest", "live"],
  testing: ["base", "contracts", "plugin"],
  cli: [
    "base",
    "contracts",
    "document",
    "diagnostics",
    "validation",
    "configuration",
    "runtime",
    "expression",
    "plugin",
    "kinds",
    "pipeline",
    "ingest",
    "live",
    "evaluate",
    "explain",
    "picture",
    "inspector",
    "serve",
  ],
  public: ["base", "contracts", "document", "diagnostics", "configuration", "runtime", "worker", "retrieval", "plugin", "pipeline", "live", "testing"],
};

/** Rooms that read the one source of formats, contracts and codes. */
const readSchema = ["diagnostics", "validation", "configuration", "pipeline", "cli", "live", "evaluate"];

/** The only rooms through which a package may be reached. */
const doors = {
  yaml: "document",
  ajv: "validation",
  re2js: "expression",
  jiti: "plugin",
  commander: "cli",
  chokidar: "live",
  hono: "(?:serve|inspector)",
  "@hono/node-server": "(?:serve|inspector)",
  "prom-client": "serve",
  "@opentelemetry/api": "telemetry",
};

/** Phases of the pipeline are siblings: only `compile-pipeline.ts` and `read-files.ts` know their order. */
const phases = ["read", "parse", "assemble", "validate", "resolve", "check", "compile"];

const only = (names) => `^src/(${names.join("|")})/`;

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    ...Object.entries(rooms).map(([room, allowed]) => ({
      name: `room-${room}`,
      severity: "error",
      comment: `src/${room} may import ${allowed.join(", ") || "nothing"}`,
      from: { path: `^src/${room}/` },
      to: { path: "^src/", pathNot: only([room, ...allowed]) },
    })),
    ...Object.entries(doors).map(([name, room]) => ({
      name: `door-${room}-${name.replaceAll(/[^a-z0-9]/g, "-")}`,
      severity: "error",
      comment: `only src/${room} imports ${name}`,
      from: { path: "^src/", pathNot: `^src/${room}/` },
      to: { path: `node_modules/${name}/` },
    })),
    ...phases.map((phase) => ({
      name: `phase-${phase}`,
      severity: "error",
      comment: "phases never import each other",
      from: { path: `^src/pipeline/${phase}/` },
      to: { path: `^src/pipeline/(${phases.filter((other) => other !== phase).join("|")})/` },
    })),
    {
      name: "pipeline-graph-only",
      severity: "error",
      comment: "of the runtime, the pipeline knows graphs only",
      from: { path: "^src/pipeline/" },
      to: { path: "^src/runtime/", pathNot: "^src/runtime/graph/" },
    },
    {
      name: "retrieval-define-worker-only",
      severity: "error",
      comment: "of the runtime, retrieval knows how a worker is defined",
      from: { path: "^src/retrieval/" },
      to: { path: "^src/worker/", pathNot: "^src/worker/(define-|create-node-scaffold)" },
    },
    {
      name: "schema-readers",
      severity: "error",
      comment: `schema is read by ${readSchema.join(", ")}`,
      from: { path: "^src/", pathNot: only(readSchema) },
      to: { path: "^schema/" },
    },
    {
      name: "source-without-plugins",
      severity: "error",
      comment: "src never imports plugins",
      from: { path: "^src/" },
      to: { path: "^plugins/" },
    },
    {
      name: "plugins-through-the-door",
      severity: "error",
      comment: "plugins import the public plugin door, shared SQL and analysis, and packages",
      from: { path: "^plugins/([^/]+)/" },
      to: { path: "^(src|plugins)/", pathNot: ["^src/public/plugin\\.ts$", "^plugins/(sql|analysis)/", "^plugins/$1/"] },
    },
    {
      name: "nothing-imports-tests",
      severity: "error",
      comment: "nothing imports test",
      from: { path: "^(src|plugins|schema)/" },
      to: { path: "^test/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { conditionNames: ["ditto-source", "node", "import", "default"], exportsFields: ["exports"], extensions: [".ts", ".mjs", ".js"] },
  },
};
