import type { FactWarning, JsonSchema } from "@codesoul-co/ditto/plugin";
import type { CollectionConfiguration, WrittenCollection } from "../sql/collection-configuration.ts";
import { collectionSchema } from "../sql/collection-schema.ts";
import { declarationWarnings } from "../sql/declaration-warnings.ts";
import { catalogueName } from "./collection-layout.ts";

/** What a Milvus collection may say beyond any other. */
interface MilvusOptions {
  readonly index?: "flat" | "hnsw" | undefined;
  readonly hnsw?: { readonly m?: number | undefined; readonly efConstruction?: number | undefined; readonly ef?: number | undefined } | undefined;
  readonly writers?: "one" | undefined;
}

/** The configuration of a collection, as its kind's `open` gets it. */
export interface MilvusCollectionConfiguration extends CollectionConfiguration<unknown>, MilvusOptions {}

const shared = collectionSchema(["milvus"]);

/** Its schema. */
export const milvusCollectionSchema: JsonSchema = {
  ...shared,
  properties: {
    ...shared.properties,
    index: {
      description: "How near vectors are found: `flat` compares with all and is exact, `hnsw` goes through a graph and is fast on many rows.",
      type: "string",
      enum: ["flat", "hnsw"],
      default: "flat",
    },
    hnsw: {
      description: "The numbers of the graph, for `index: hnsw`.",
      type: "object",
      additionalProperties: false,
      properties: {
        m: { description: "Neighbours of each row.", type: "integer", minimum: 2, maximum: 2048, default: 16 },
        efConstruction: { description: "Candidates while it is built.", type: "integer", minimum: 1, maximum: 100_000, default: 200 },
        ef: {
          description: "Candidates of a search, at the least; twice the limit where that is more.",
          type: "integer",
          minimum: 1,
          maximum: 32_768,
          default: 64,
        },
      },
    },
    writers: {
      description: "Says that one process at a time writes to it, which ends the warning about several.",
      type: "string",
      enum: ["one"],
    },
  },
};

/** What an author should know of a collection, or has to change. */
export function collectionWarnings(written: WrittenCollection & MilvusOptions): readonly FactWarning[] {
  const warnings: FactWarning[] = [...declarationWarnings(written)];
  if (written.hnsw !== undefined && written.index !== "hnsw" && written.index !== null) {
    warnings.push({ pointer: "/hnsw", severity: "error", message: "The numbers of a graph stand beside an index that is none", hint: "Write `index: hnsw`." });
  }
  if (written.table === catalogueName) {
    warnings.push({ pointer: "/table", severity: "error", message: `"${catalogueName}" is the collection that knows the others` });
  }
  if (written.writers === undefined) {
    warnings.push({
      pointer: "",
      severity: "warning",
      message: "Milvus has no transactions: that keys are unique and no update is lost is certain among the writers of one process only",
      hint: "Let one process write and say `writers: one`, or keep what several processes write in a database with transactions.",
    });
  }
  return warnings;
}
