/**
 * How fast the embedded encoder is; prints JSON. Run it with `npm run bench -- encoder [--reference DIR]`.
 *
 * DIR holds another encoder of the same model (`encoder.mjs` with a class `Encoder`). Both then take turns on the same
 * texts in this process, and `ratio` is ours to theirs: below one, ours is faster. Milliseconds are medians of processor
 * time, which a busy machine changes less, except under `pool`: there they are what callers wait, over `npm run build`.
 */
import { cpus } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { loadSentenceEncoder, type SentenceEncoder } from "../../plugins/local-embedding/encoder/sentence-encoder.ts";
import { createLocalEmbedding } from "../../plugins/local-embedding/local-embedding.ts";
import { packageFile } from "../../plugins/local-embedding/package-file.ts";

/** The reference's shape. */
interface ReferenceEncoder {
  encode(text: string, kind: "query" | "passage"): Float32Array;
}
type ReferenceClass = new (folder: string) => ReferenceEncoder;

const sentences = [
  "Microglia clear debris after an injury of the spinal cord and release signals that attract other cells.",
  "We measured the boundary layer of a flat plate at speeds between 40 and 90 metres per second.",
  "The trial enrolled 1,204 adults with type 2 diabetes and followed them for three and a half years.",
  "Rate limits apply to each workspace, and a request over the limit is answered with the status 429.",
  "Participants who slept less than six hours had higher levels of cortisol on the next morning.",
  "An invoice can be cancelled until it is sent; afterwards a credit note has to be written instead.",
  "Expression of the receptor was reduced in knockout mice, whereas the ligand remained unchanged.",
  "The heat transfer coefficient agrees with theory within five percent for laminar flow only.",
  "To reset a password, open the sign-in page, choose the link below the form and follow the message.",
  "These results suggest a mechanism that links early inflammation with the later loss of neurons.",
  "Backups are kept for thirty days and are encrypted with a key that belongs to the customer.",
] as const;

const modelFolder = packageFile("plugins/local-embedding/model");
const { values } = parseArgs({ args: process.argv.slice(2), options: { reference: { type: "string" } } });
const referenceFolder = values.reference === undefined ? undefined : resolve(values.reference);

interface TextKind {
  readonly purpose: "query" | "document";
  /** Times that a text is encoded for one measurement, so that short ones can be told from the clock's noise. */
  readonly repeats: number;
  readonly texts: readonly string[];
}

const kinds = {
  query: { purpose: "query", repeats: 12, texts: textsOf(24, (i) => `How do I reset my password ${i}?`) },
  record: { purpose: "document", repeats: 4, texts: textsOf(24, (i) => words(i, 28)) },
  abstract: { purpose: "document", repeats: 1, texts: textsOf(24, (i) => words(i, 182)) },
} satisfies Record<string, TextKind>;

const report: Record<string, unknown> = { node: process.version, processor: cpus()[0]?.model, load: await timeLoading() };
const ours = loadSentenceEncoder(modelFolder);
const theirs = referenceFolder === undefined ? undefined : new (await referenceClass(referenceFolder))(referenceFolder);
warmUp(ours, theirs);
for (const [name, kind] of Object.entries(kinds)) report[name] = timeKind(kind);
report.pool = { one: await timePool(1), two: await timePool(2) };
console.log(JSON.stringify(report, undefined, 2));

function textsOf(count: number, make: (index: number) => string): readonly string[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function words(start: number, count: number): string {
  const all = [...sentences.slice(start % sentences.length), ...sentences.slice(0, start % sentences.length)].join(" ").split(" ");
  return all.slice(0, count).join(" ");
}

async function referenceClass(folder: string): Promise<ReferenceClass> {
  return ((await import(pathToFileURL(join(folder, "encoder.mjs")).href)) as { readonly Encoder: ReferenceClass }).Encoder;
}

async function timeLoading(): Promise<object> {
  const load = referenceFolder === undefined ? undefined : await referenceClass(referenceFolder);
  const turns = Array.from({ length: 7 }, () => ({
    ours: milliseconds(() => loadSentenceEncoder(modelFolder)),
    theirs: load && referenceFolder !== undefined ? milliseconds(() => new load(referenceFolder)) : undefined,
  }));
  return summary(turns);
}

function warmUp(encoder: SentenceEncoder, reference: ReferenceEncoder | undefined): void {
  for (const text of kinds.query.texts) {
    encoder.encode(text, "query");
    reference?.encode(text, "query");
  }
}

function timeKind({ purpose, repeats, texts }: TextKind): object {
  const times = (run: () => unknown): number => milliseconds(() => Array.from({ length: repeats }, run)) / repeats;
  const turns = texts.map((text) => {
    const our = (): number => times(() => ours.encode(text, purpose));
    const their = (): number => times(() => theirs?.encode(text, purpose === "query" ? "query" : "passage"));
    if (theirs === undefined) return { ours: our(), theirs: undefined };
    const [a, b, c, d] = [our(), their(), their(), our()]; // so that a drift of the machine's speed hits both alike
    return { ours: (a + d) / 2, theirs: (b + c) / 2 };
  });
  return { tokens: median(texts.map((text) => ours.encode(text, purpose).tokens)), ...summary(turns) };
}

/** Threads, messages, and vectors as arrays of numbers. */
async function timePool(threads: number): Promise<object> {
  const embedding = createLocalEmbedding({ threads });
  const batch = [...kinds.record.texts, ...kinds.record.texts];
  await Promise.all(Array.from({ length: 4 }, () => embedding.embed({ contents: batch.slice(0, 8), purpose: "document" })));
  const start = performance.now();
  await embedding.embed({ contents: batch, purpose: "document" });
  const perRecordMs = (performance.now() - start) / batch.length;
  await embedding.close();
  return { perRecordMs: round(perRecordMs) };
}

function summary(turns: readonly { readonly ours: number; readonly theirs: number | undefined }[]): object {
  const oursMs = round(median(turns.map((turn) => turn.ours)));
  const ratios = turns.flatMap((turn) => (turn.theirs === undefined ? [] : [turn.ours / turn.theirs]));
  if (ratios.length === 0) return { oursMs };
  return { oursMs, theirsMs: round(median(turns.map((turn) => turn.theirs ?? 0))), ratio: round(median(ratios)) };
}

function milliseconds(run: () => unknown): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] as number;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
