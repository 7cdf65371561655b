import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Collection, Embedding } from "../../../src/contracts/collection.ts";
import { loadPipeline } from "../../../src/live/load-pipeline.ts";
import type { CompiledIngest } from "../../../src/pipeline/model/compiled-ingest.ts";

/** An open pipeline over a SQLite file of its own. */
export interface OpenKb {
  readonly folder: string;
  readonly ingest: CompiledIngest;
  readonly ingests: Readonly<Record<string, CompiledIngest>>;
  collection(name: string): Collection;
  /** Writes a file beside the pipeline and returns its path. */
  file(name: string, content: string | readonly unknown[]): string;
  /** Ids of all rows, with scope where there is one. */
  rows(name?: string): Promise<readonly string[]>;
  /** Texts that were embedded so far. */
  readonly embedded: readonly string[];
}

/** What a test's pipeline is like. */
export interface KbOptions {
  /** More lines of `sqlite.collection`. */
  readonly collection?: readonly string[] | undefined;
  /** More lines of `ingest.articles`. */
  readonly ingest?: readonly string[] | undefined;
  /** More resources, ingests and so on, as YAML. */
  readonly resources?: readonly string[] | undefined;
  readonly more?: readonly string[] | undefined;
  readonly embedding?: Partial<Embedding> | undefined;
}

/** Opens `kb`, a real SQLite collection, with an embedding that is quick and counts what it is asked. */
export async function openKb(options: KbOptions = {}): Promise<OpenKb> {
  const folder = mkdtempSync(join(tmpdir(), "ditto-ingest-"));
  const path = join(folder, "kb.yaml");
  writeFileSync(path, pipelineText(options));
  const embedded: string[] = [];
  const embedding = { ...lengthEmbedding(embedded), ...options.embedding };
  const pipeline = await loadPipeline(path, {
    fill: false,
    resources: { encoder: embedding, ...(options.resources === undefined ? {} : { other: otherEmbedding(embedded) }) },
  });
  onTestFinished(async () => {
    await pipeline.close();
    rmSync(folder, { recursive: true });
  });
  const collection = (name: string): Collection => pipeline.resource(name) as Collection;
  const ingest = pipeline.ingests["articles"];
  if (ingest === undefined) throw new Error("the pipeline has no ingest");
  return {
    folder,
    ingest,
    ingests: pipeline.ingests,
    collection,
    embedded,
    file: (name, content) => {
      writeFileSync(join(folder, name), typeof content === "string" ? content : content.map((record) => `${JSON.stringify(record)}\n`).join(""));
      return join(folder, name);
    },
    rows: async (name = "kb") => {
      const ids: string[] = [];
      for await (const rows of collection(name).records.scan())
        ids.push(...rows.map((row) => (row.namespace === undefined ? row.id : `${row.namespace}/${row.id}`)));
      return ids;
    },
  };
}

function pipelineText({ collection = [], ingest = [], resources = [], more = [] }: KbOptions): string {
  const scoped = collection.some((line) => line.startsWith("namespace"));
  const lines = (list: readonly string[], spaces: number): string => list.map((line) => `${" ".repeat(spaces)}${line}\n`).join("");
  return `version: 1
name: kb
resources:
  db: { sqlite: { file: kb.db } }
  encoder: { local-embedding: {} }
  kb:
    sqlite.collection:
      database: db
      embedding: encoder
${lines(collection, 6)}      fields:
        product: { type: string }
        price: { type: number }
${lines(resources, 2)}ingest:
  articles:
    into: kb
    input:
      type: object
      required: [id, body]
      properties:
        id: { type: string }
        body: { type: string }
        product: { type: string }
        price: { type: number }
        tenant: { type: string }
    id: \${ input.id }
    content: \${ input.body }
    metadata: { product: "\${ input.?product }", price: "\${ input.?price }", tenant: "\${ input.?tenant }" }
${lines(ingest, 4)}${lines(more, 2)}targets:
  kb: { strategies: { keyword: { text: { collection: kb } } } }
`.replace(', tenant: "${ input.?tenant }"', scoped ? `, tenant: "\${ coalesce(input.?tenant, '') }"` : "");
}

/** Vectors of length and first letter: enough to tell texts apart. */
function lengthEmbedding(embedded: string[]): Embedding {
  return {
    facts: { model: "length-1", dimensions: 3, maxTokens: 50 },
    countTokens: (text) => text.split(/\s+/u).length,
    embed: async ({ contents }) => contents.map((content) => vectorOf(String(content), embedded)),
  };
}

function otherEmbedding(embedded: string[]): Embedding {
  return { facts: { model: "length-2", dimensions: 3 }, embed: async ({ contents }) => contents.map((content) => vectorOf(String(content), embedded)) };
}

function vectorOf(text: string, embedded: string[]): readonly number[] {
  embedded.push(text);
  return [1, text.length / 100, text.charCodeAt(0) / 1000];
}
