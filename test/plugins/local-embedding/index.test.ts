import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { modelName, readModelHeader } from "../../../plugins/local-embedding/encoder/model-header.ts";
import plugin from "../../../plugins/local-embedding/index.ts";
import { packageFile } from "../../../plugins/local-embedding/package-file.ts";
import type { DescribeScope, OpenScope } from "../../../src/plugin/plugin-definition.ts";
import { checkPlugin } from "../../../src/plugin/check-plugin.ts";
import { modelFolder } from "./golden.ts";

const kind = plugin.kinds.find((candidate) => candidate.kind === "local-embedding");
const header = readModelHeader(modelFolder);
const describeScope: DescribeScope = { name: "encoder", slot: () => undefined };

test("The plugin passes the door", () => {
  expect(checkPlugin(plugin, "local-embedding")).toHaveProperty("plugin", plugin);
});

test("What it says without opening is what the header says", () => {
  expect(kind?.describe?.({}, describeScope)).toEqual({ embedding: { model: modelName(header), dimensions: header.dims, maxTokens: header.maxTokens } });
});

test("Facts follow the configuration", () => {
  expect(kind?.describe?.({ maxTokens: 64 }, describeScope).embedding?.maxTokens).toBe(64);
  expect(kind?.describe?.({ maxTokens: "${env:TOKENS}" }, describeScope).embedding?.maxTokens).toBeUndefined();
});

test("The schema's bounds are the model's", () => {
  expect(kind?.schema).toMatchObject({ properties: { maxTokens: { maximum: header.positions, default: header.maxTokens } } });
});

describe("Opened", () => {
  const logged: string[] = [];
  const scope = { log: (level: string, message: string) => logged.push(`${level}: ${message}`) } as unknown as OpenScope;

  test("it embeds in the built thread, passes its check, and tells at the end what was cut", async () => {
    expect(existsSync(packageFile("dist/plugins/local-embedding/encoder-thread.js")), "npm run build").toBe(true);
    const opened = await kind?.open?.({ threads: 1, maxTokens: 16 }, scope);
    await opened?.check?.(AbortSignal.timeout(10_000));
    const embedding = opened?.value as { embed(input: { contents: unknown[]; purpose: "document" }): Promise<readonly (readonly number[])[]> };
    const [vector] = await embedding.embed({ contents: ["one two three four five six seven eight nine ten eleven twelve"], purpose: "document" });
    expect(vector).toHaveLength(header.dims);
    await opened?.close?.();
    expect(logged).toEqual([expect.stringMatching(/^warn: 1 of 1 texts/)]);
  });
});
