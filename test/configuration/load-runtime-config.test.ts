import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ConfigurationError } from "../../src/configuration/configuration-error.ts";
import { loadRuntimeConfig, loadRuntimeConfigFile } from "../../src/configuration/load-runtime-config.ts";
import { isCodedError } from "../../src/contracts/coded-error.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "configuration-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function file(text: string | Uint8Array): string {
  const path = join(folder, "ditto.yaml");
  writeFileSync(path, text);
  return path;
}

function fault(load: () => unknown): ConfigurationError {
  try {
    load();
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("without settings", () => {
  test("everything has its built-in value", () => {
    expect(loadRuntimeConfig({})).toEqual({
      environment: "development",
      workspace: process.cwd(),
      timeoutMs: 30_000,
      loopMaxIterations: 32,
      memory: {},
      retrieval: {},
      context: {},
      sandbox: {},
    });
  });

  test("the snapshot is frozen through and through", () => {
    const config = loadRuntimeConfig({ DITTO_SHARED_SANDBOX_ALLOW_NETWORK: "*" }, { workers: { retrieval: { hybrid: { rrfK: 5 } } } });
    for (const part of [config, config.sandbox, config.sandbox.network, config.retrieval, config.retrieval.hybrid]) expect(Object.isFrozen(part)).toBe(true);
  });
});

describe("a file", () => {
  test("sets every number and rule", () => {
    const path = file(`
runtime: { timeoutMs: 500, graphConcurrency: 4, loopMaxIterations: 7 }
workers:
  memory: { queryLimit: 50, searchLimit: 5 }
  retrieval:
    searchLimit: 20
    embedding: { batchSize: 32, dimensions: 384 }
    hybrid: { candidateLimit: 200, rrfK: 30 }
    rerank: { candidateLimit: 40 }
  context:
    policy: { maxItems: 10, duplicate: reject, missingRemoval: ignore }
    cache: { ttlMs: 1000, keyPrefix: "x:" }
    localCache: { maxEntries: 5 }
    queue: { maxPending: 2 }
plugins: [sqlite]
pipelines: ["pipelines/*.yaml"]
`);
    const config = loadRuntimeConfigFile(path, {});
    expect(config).toMatchObject({ timeoutMs: 500, graphConcurrency: 4, loopMaxIterations: 7, memory: { queryLimit: 50, searchLimit: 5 } });
    expect(config.retrieval).toEqual({
      searchLimit: 20,
      embedding: { batchSize: 32, dimensions: 384 },
      hybrid: { candidateLimit: 200, rrfK: 30 },
      rerank: { candidateLimit: 40 },
    });
    expect(config.context).toEqual({
      policy: { maxItems: 10, duplicate: "reject", missingRemoval: "ignore" },
      cache: { ttlMs: 1000, keyPrefix: "x:" },
      localCache: { maxEntries: 5 },
      queue: { maxPending: 2 },
    });
  });

  test("that is missing is told so, with the cause kept", () => {
    const error = fault(() => loadRuntimeConfigFile(join(folder, "no.yaml"), {}));
    expect(error.code).toBe("CONFIGURATION_NOT_FOUND");
    expect(isCodedError(error, "runtime")).toBe(true);
    expect(error.cause).toBeInstanceOf(Error);
  });

  test("tells every fault at once, each with its place", () => {
    const path = file("runtime:\n  timeoutMs: 0\n  graphConcurency: 4\nworkers:\n  memory: { queryLimit: 10001 }\n  memory: {}\nsandbox: {}\n");
    const error = fault(() => loadRuntimeConfigFile(path, { DITTO_RUNTIME_WORKSPCE: "x", DITTO_SHARED_SANDBOX_ALLOW_READ: "perhaps" }));
    expect(error.code).toBe("CONFIGURATION_INVALID");
    expect(error.message.split("\n").map((line) => line.replace(path, "ditto.yaml"))).toEqual([
      "ditto.yaml:2:14 timeoutMs must be a whole number from 1 to 2147483647, not 0",
      'ditto.yaml:3:3 unknown key "graphConcurency" in runtime (did you mean "graphConcurrency"?)',
      "ditto.yaml:5:25 queryLimit must be a whole number from 1 to 10000, not 10001",
      'ditto.yaml:6:3 the key "memory" is written twice in one mapping',
      'ditto.yaml:7:1 unknown key "sandbox" in the file (legal keys: runtime, workers, plugins, pipelines, serve)',
      'environment the environment variable DITTO_RUNTIME_WORKSPCE is no setting (did you mean "DITTO_RUNTIME_WORKSPACE"?)',
      "environment the environment variable DITTO_SHARED_SANDBOX_ALLOW_READ must be true or false",
    ]);
  });

  test.each([
    ["", "DITTO111"],
    ["# nothing\n", "DITTO111"],
    ["- a\n", "DITTO201"],
    ["just text\n", "DITTO201"],
    ["runtime:\n", "DITTO201"],
    ["workers:\n  memory: &m { searchLimit: 5 }\n  retrieval: *m\n", "DITTO120"],
    ['runtime: { timeoutMs: "${env:T}" }\n', "DITTO412"],
    ["runtime: { timeoutMs: 1.5 }\n", "DITTO201"],
    ["runtime: { loopMaxIterations: 9007199254740993 }\n", "DITTO109"],
    ["workers: { context: { policy: { duplicate: keep } } }\n", "DITTO202"],
    ["workers: { context: { policy: { maxItems: 1000001 } } }\n", "DITTO207"],
    ["workers: { retrieval: { embedding: { batchSize: 2049 } } }\n", "DITTO207"],
    ["plugins: [sqlite, sqlite]\n", "DITTO211"],
    ["runtime: [\n", "DITTO101"],
  ])("%j is refused by %s", (text, code) => {
    expect(fault(() => loadRuntimeConfigFile(file(text), {})).diagnostics.map((diagnostic) => diagnostic.code)).toContain(code);
  });

  test("that is not UTF-8 is refused", () => {
    expect(fault(() => loadRuntimeConfigFile(file(new Uint8Array([0x61, 0xff])), {})).diagnostics.map((diagnostic) => diagnostic.code)).toEqual(["DITTO119"]);
  });
});

describe("settings", () => {
  test("are judged as a file is, with places in them as JSON", () => {
    const error = fault(() => loadRuntimeConfig({}, { runtime: { timeoutMs: -1 } }));
    expect(error.message).toBe("settings:3:18 timeoutMs must be a whole number from 1 to 2147483647, not -1");
  });

  test("that JSON cannot hold are refused", () => {
    const settings: Record<string, unknown> = {};
    settings.runtime = settings;
    expect(fault(() => loadRuntimeConfig({}, settings)).code).toBe("CONFIGURATION_INVALID");
  });
});

describe("the environment", () => {
  test("gives the environment's name, the workspace and what the Sandbox allows", () => {
    const config = loadRuntimeConfig({
      DITTO_RUNTIME_ENVIRONMENT: "production",
      DITTO_RUNTIME_WORKSPACE: "data",
      DITTO_SHARED_SANDBOX_ALLOW_READ: "true",
      DITTO_SHARED_SANDBOX_ALLOW_WRITE: "0",
      DITTO_SHARED_SANDBOX_ALLOW_EXECUTE: "",
      DITTO_SHARED_SANDBOX_ALLOW_TOOLS: "grep, sed",
      DITTO_SHARED_SANDBOX_ALLOW_NETWORK: "https://api.cohere.com/,http://127.0.0.1:8080",
    });
    expect(config.environment).toBe("production");
    expect(config.workspace).toBe(resolve("data"));
    expect(config.sandbox).toEqual({ read: true, write: false, tools: ["grep", "sed"], network: ["https://api.cohere.com", "http://127.0.0.1:8080"] });
  });

  test.each(["https://api.cohere.com/v1", "api.cohere.com", "https://user:secret@api.cohere.com", "file:///etc"])(
    "%s is no origin, and is not shown",
    (origin) => {
      const error = fault(() => loadRuntimeConfig({ DITTO_SHARED_SANDBOX_ALLOW_NETWORK: origin }));
      expect(error.diagnostics.map((diagnostic) => diagnostic.code)).toEqual(["DITTO711"]);
      expect(error.message).not.toContain(origin);
    },
  );

  test("may hold variables of workers and transports, which applications read", () => {
    expect(() =>
      loadRuntimeConfig({ DITTO_WORKER_RETRIEVAL_EMBEDDING_MODEL: "e5", DITTO_TRANSPORT_HTTP_TOKEN: "t", DITTO_PROFILE: "p", DITTO: "x" }),
    ).not.toThrow();
  });
});
