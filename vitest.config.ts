import { defineConfig } from "vitest/config";

export default defineConfig({
  ssr: { resolve: { conditions: ["ditto-source"] } },
  resolve: { conditions: ["ditto-source"] },
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 20_000,
    maxWorkers: 2,
  },
});
