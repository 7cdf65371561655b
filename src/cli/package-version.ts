import { readFile } from "node:fs/promises";
import { packageFile } from "./package-file.ts";

/** This package's version. */
export async function packageVersion(): Promise<string> {
  return (JSON.parse(await readFile(packageFile("package.json"), "utf8")) as { readonly version: string }).version;
}
