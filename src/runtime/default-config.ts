import type { RuntimeConfig } from "../contracts/runtime-config.ts";

/** The built-in configuration, for a Runtime that is given none or a part; neither files nor environment are read. */
export function defaultConfig(): RuntimeConfig {
  return {
    environment: "development",
    workspace: process.cwd(),
    timeoutMs: 30_000,
    loopMaxIterations: 32,
    memory: {},
    retrieval: {},
    context: {},
    sandbox: {},
  };
}
