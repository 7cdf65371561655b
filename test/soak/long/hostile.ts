// Hostile texts in every place that takes one: `npm run soak -- hostile [ENGINE] [COUNT]`, by default 10,000 on SQLite.
import { withOpened } from "../../../src/testing/with-opened.ts";
import { withEngine } from "../engines.ts";
import { hostileDeclaration, hostileValues } from "../hostile-values.ts";

const [name = "sqlite", count = "10000"] = process.argv.slice(2);

await withEngine(name, (engine) =>
  withOpened(
    () => engine.open(hostileDeclaration),
    ({ collection }) => hostileValues(collection, { count: Number(count), seed: 11 }),
  ),
);
console.log(`${name}: ${count} hostile texts matched nothing and changed nothing`);
