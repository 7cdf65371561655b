import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.cwd(), "test/bench/peers/package.json"));

/** A package of `test/bench/peers`; undefined where they are not installed: `npm ci --prefix test/bench/peers`. */
export function peerModule<T>(name: string): T | undefined {
  try {
    return require(name) as T;
  } catch (error) {
    if ((error as { readonly code?: string }).code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}
