import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import type { ServerRequirement } from "./describe-with-server.ts";

const program = (process.env["PATH"] ?? "")
  .split(delimiter)
  .map((folder) => join(folder, "chromium"))
  .find(existsSync);

/** The system's Chromium. */
export const chromiumBrowser: ServerRequirement = {
  name: "Chromium",
  isInstalled: program !== undefined,
  install: "sh scripts/servers/chromium.sh",
};

/** Starts the browser without a window; close it in the end. */
export function startChromium(): Promise<Browser> {
  // A container's root has no user namespaces to build a sandbox of, and the pages are our own.
  return chromium.launch({ executablePath: program ?? "chromium", args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"] });
}
