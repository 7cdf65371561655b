import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { formatPretty } from "../../src/diagnostics/format-pretty.ts";
import { loadServeSettings } from "../../src/configuration/load-serve-settings.ts";

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "ditto-settings-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const codes = ({ diagnostics }: ReturnType<typeof loadServeSettings>): readonly string[] => diagnostics.map(({ code }) => code);

it("without a section everything has its built-in value", () => {
  const { settings, diagnostics } = loadServeSettings(folderWith({ "ditto.yaml": "pipelines: [a.yaml]\n" }), { env: {} });
  expect(diagnostics).toEqual([]);
  expect(settings).toMatchObject({ host: "127.0.0.1", port: 8080, timeoutMs: 30_000, concurrency: 256, origins: [], tokens: [], workers: {} });
});

it("tokens come from the environment, from files and from a file of tokens", () => {
  const folder = folderWith({
    "ditto.yaml": `serve:
  port: 9000
  tokens:
    - { name: app, token: "\${env:APP_TOKEN}", pipelines: [kb], namespace: acme }
    - { name: host, token: "\${file:host-token}", allow: [invoke] }
`,
    "host-token": "from-a-file-1\n",
    "tokens.yaml": "- { name: more, token: written-out-1 }\n",
  });
  const { settings, diagnostics } = loadServeSettings(folder, { env: { APP_TOKEN: "from-outside-1" }, tokenFile: join(folder, "tokens.yaml") });
  expect(diagnostics).toEqual([]);
  expect(settings.port).toBe(9000);
  expect(settings.tokens.map((token) => [token.name, token.reveal(), token.pipelines, token.namespace, token.allow])).toEqual([
    ["app", "from-outside-1", ["kb"], "acme", ["search", "run"]],
    ["host", "from-a-file-1", undefined, undefined, ["invoke"]],
    ["more", "written-out-1", undefined, undefined, ["search", "run"]],
  ]);
  expect(JSON.stringify(settings)).not.toMatch(/from-|written-/u);
});

it("the transport's token of the environment opens workers, where any are offered, and nothing else", () => {
  const env = { DITTO_TRANSPORT_HTTP_TOKEN: "shared-by-two" };
  const offering = loadServeSettings(folderWith({ "ditto.yaml": "serve: { workers: { kb: [RETRIEVAL.SEARCH] } }\n" }), { env });
  expect(offering.settings.tokens.map((token) => [token.name, token.reveal(), token.allow])).toEqual([["transport", "shared-by-two", ["invoke"]]]);
  expect(loadServeSettings(folderWith({ "ditto.yaml": "serve: { port: 1 }\n" }), { env }).settings.tokens).toEqual([]);
});

it("each token that cannot be used is told of at its place, without the secret", () => {
  const folder = folderWith({
    "ditto.yaml": `serve:
  tokens:
    - { name: written, token: hunter2-hunter2 }
    - { name: missing, token: "\${env:NONE}" }
    - { name: gone, token: "\${file:none}" }
    - { name: short, token: "\${env:SHORT}" }
    - { name: spaced, token: "\${env:SPACED}" }
    - { name: fine, token: "\${env:FINE}" }
    - { name: twice, token: "\${env:FINE}" }
`,
  });
  const loaded = loadServeSettings(folder, { env: { SHORT: "ab", SPACED: "hunter2 hunter2", FINE: "fine-and-long" } });
  expect(codes(loaded)).toEqual(["DITTO715", "DITTO304", "DITTO306", "DITTO716", "DITTO716", "DITTO716"]);
  expect(loaded.settings.tokens.map(({ name }) => name)).toEqual(["fine"]);
  expect(formatPretty(loaded.diagnostics, { color: false })).not.toContain("hunter2");
});

it("what does not fit is told of by the form of ditto.yaml, and expressions stand nowhere else", () => {
  expect(codes(loadServeSettings(folderWith({ "ditto.yaml": "serve: { prot: 80, host: '${env:HOST}' }\n" }), { env: {} }))).toEqual(["DITTO204", "DITTO412"]);
  expect(codes(loadServeSettings(folderWith({ "ditto.yaml": "serve: { workers: { kb: [retrieval] } }\n" }), { env: {} }))).toHaveLength(1);
});

it("a file of tokens that is missing or of another form is told of", () => {
  const folder = folderWith({ "ditto.yaml": "pipelines: []\n", "tokens.yaml": "- { name: a }\n" });
  expect(codes(loadServeSettings(folder, { env: {}, tokenFile: join(folder, "none.yaml") }))).toEqual(["DITTO116"]);
  expect(codes(loadServeSettings(folder, { env: {}, tokenFile: join(folder, "tokens.yaml") }))).toEqual(["DITTO203"]);
});
