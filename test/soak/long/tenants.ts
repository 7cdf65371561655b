// Two tenants under random operations: `npm run soak -- tenants [ENGINE] [STEPS]`, by default 100,000 steps on SQLite.
import { withOpened } from "../../../src/testing/with-opened.ts";
import { withEngine } from "../engines.ts";
import { tenantDeclaration, twoTenants } from "../two-tenants.ts";

const [name = "sqlite", steps = "100000"] = process.argv.slice(2);
/** Each walk begins with an empty collection, so that its size stays that of a test. */
const walk = 2000;

await withEngine(name, async (engine) => {
  for (let done = 0, seed = 1; done < Number(steps); done += walk, seed += 1) {
    const length = Math.min(walk, Number(steps) - done);
    await withOpened(
      () => engine.open(tenantDeclaration),
      ({ collection }) => twoTenants(collection, { steps: length, seed }),
    );
    console.error(`${done + length} steps`);
  }
});
console.log(`${name}: ${steps} steps, and no tenant ever met the other`);
