/** Writes to a collection until it is killed or done: `write-in-child.ts FOLDER NAME ROUNDS`. Run by tests in a process of its own. */
import { openCollection, openDatabase, testEmbedding } from "./open-test-collection.ts";

const [folder = "", name = "", rounds = "0"] = process.argv.slice(2);
const connection = await openDatabase("kb.db", folder);
const { collection } = await openCollection({ embedding: testEmbedding(), fields: { round: { type: "integer" } } }, { database: connection.value });
for (let round = 0; round < Number(rounds); round += 1) {
  const parts = Array.from({ length: 3 + (round % 4) }, (_, index) => ({ id: `${name}#${index}`, content: `word ${name} ${round}`, metadata: { round } }));
  await collection.records.replace([{ id: name, hash: String(round), parts }]);
  await collection.write({ memories: [{ key: `${name}-${round}`, content: `word ${name}` }] });
  if (round === 0) console.log("ready");
}
await connection.close?.();
