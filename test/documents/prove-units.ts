import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { loadRuntimeConfigFile } from "@codesoul-co/ditto";
import { parse } from "yaml";
import { openWorld } from "./open-world.ts";
import { fragmentProofs } from "./proofs/fragments.ts";
import { memoryProofs } from "./proofs/memory-examples.ts";
import type { Proof } from "./proofs/proof.ts";
import { retrievalProofs } from "./proofs/retrieval-examples.ts";

/** A unit that is run. */
export interface RunnableUnit {
  readonly name: string;
  readonly document: string;
  readonly line: number;
  readonly kind: "examples" | "fragment";
  readonly code: string;
  readonly exports: readonly string[];
  /** The document's own `ditto.yaml`. */
  readonly settings: string;
  load(): Promise<Readonly<Record<string, unknown>>>;
}

/** Settings as a document writes them. */
export interface WrittenSettings {
  readonly document: string;
  readonly text: string;
}

/** What came of it. */
export interface ProofReport {
  readonly functions: number;
  readonly fragments: number;
  readonly settings: number;
  readonly problems: readonly string[];
}

/**
 * Runs everything that the documents' code hands out, and asserts what it gives. Code without a proof is a problem, and so is a
 * proof that nothing was found for: then the documents have changed.
 *
 * @param units The units, each loadable.
 * @param settings What the documents say of `ditto.yaml`.
 * @param folder A folder for `ditto.yaml`; the process works in it meanwhile.
 */
export async function proveUnits(units: readonly RunnableUnit[], settings: readonly WrittenSettings[], folder: string): Promise<ProofReport> {
  const problems: string[] = [];
  const counts = { functions: 0, fragments: 0, settings: 0 };
  const unused = new Set<unknown>([...Object.values(retrievalProofs), ...Object.values(memoryProofs), ...fragmentProofs.map(({ prove }) => prove)]);
  const before = process.cwd();
  process.chdir(folder);
  for (const unit of units) {
    writeFileSync("ditto.yaml", unit.settings);
    for (const { name, proof } of proofsOf(unit)) {
      const place = `${unit.document}:${unit.line}${name === undefined ? "" : ` ${name}`}`;
      if (proof === undefined) {
        problems.push(`${place} has no proof`);
        continue;
      }
      unused.delete(proof);
      try {
        await proveOne(unit, name, proof);
        counts[name === undefined ? "fragments" : "functions"] += 1;
      } catch (error) {
        problems.push(`${place} ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
  for (const { document, text } of settings) {
    try {
      proveSettings(text);
      counts.settings += 1;
    } catch (error) {
      problems.push(`${document} ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  process.chdir(before);
  if (unused.size > 0) problems.push(`${unused.size} proofs found nothing to prove in these documents`);
  return { ...counts, problems };
}

/** Settings load as they are written, and say in the configuration what they say in the file. */
function proveSettings(text: string): void {
  writeFileSync("ditto.yaml", text);
  const { workers } = parse(text) as { readonly workers: Readonly<Record<string, unknown>> };
  const config = loadRuntimeConfigFile("ditto.yaml", {});
  for (const [worker, value] of Object.entries(workers)) assert.deepEqual(config[worker as "memory"], value);
}

function proofsOf(unit: RunnableUnit): readonly { readonly name: string | undefined; readonly proof: Proof | undefined }[] {
  const byName = { ...retrievalProofs, ...memoryProofs };
  const functions = unit.exports.filter((name) => unit.kind === "examples" || name in byName);
  if (functions.length > 0) return functions.map((name) => ({ name, proof: byName[name] }));
  const found = fragmentProofs.filter(({ contains }) => unit.code.includes(contains));
  return [{ name: undefined, proof: found.length === 1 ? found[0]?.prove : undefined }];
}

async function proveOne(unit: RunnableUnit, name: string | undefined, proof: Proof): Promise<void> {
  const world = await openWorld();
  try {
    const module = await unit.load();
    await proof(name === undefined ? module : module[name], world);
  } finally {
    await world.close();
  }
}
