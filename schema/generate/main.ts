import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { generatedFiles } from "./generated-files.ts";

// Writes every generated file: `npm run generate`, in the repository's root.
for (const [path, text] of Object.entries(await generatedFiles())) {
  const target = join(process.cwd(), path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
  console.log(path);
}
