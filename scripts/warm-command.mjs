// Judges the quickstart with the built command and keeps what V8 compiled for it beside the command; part of the build.
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadBuilt } from "../src/cli/load-built.mjs";

const path = join(import.meta.dirname, "../dist/cli.cjs");
const { exports, script } = loadBuilt(path);
await exports.main(["validate", "pipelines/quickstart.yaml", "--no-env"]);
writeFileSync(`${path}.cache.${process.pid}`, script.createCachedData());
renameSync(`${path}.cache.${process.pid}`, `${path}.cache`);
