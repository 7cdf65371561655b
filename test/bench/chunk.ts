// Megabytes a second that chunkText cuts: `node scripts/run.mjs test/bench/chunk.ts`.
import { readFileSync } from "node:fs";
import { chunkText } from "../../src/ingest/chunk-text.ts";

const articles = readFileSync("pipelines/support-articles.jsonl", "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => (JSON.parse(line) as { readonly body: string }).body);
const english = articles.filter((body) => !/[\u4e00-\u9fff]/u.test(body));
const chinese = articles.filter((body) => /[\u4e00-\u9fff]/u.test(body));

const cases: Readonly<Record<string, string>> = {
  english: english.join("\n\n").repeat(60),
  chinese: chinese.join("\n\n").repeat(200),
  "no sentences": english.join(" ").replace(/[.!?]/gu, "").repeat(60),
  "no borders at all": "abcdefghij".repeat(400_000),
  "chinese without punctuation": chinese
    .join("")
    .replace(/[\p{P}\s]/gu, "")
    .repeat(100),
};
for (const [name, text] of Object.entries(cases)) {
  const bytes = Buffer.byteLength(text);
  let best = 0;
  for (let round = 0; round < 4; round += 1) {
    const start = performance.now();
    chunkText(text, { size: 400, overlap: 60 });
    best = Math.max(best, bytes / 1e6 / ((performance.now() - start) / 1000));
  }
  console.log(`${name.padEnd(30)} ${best.toFixed(1).padStart(8)} MB/s of ${(bytes / 1e6).toFixed(1)} MB`);
}
