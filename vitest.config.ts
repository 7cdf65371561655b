import { defineConfig, type ViteUserConfig } from "vitest/config";

const config: ViteUserConfig = defineConfig({
  ssr: { resolve: { conditions: ["ditto-source"] } },
  resolve: { conditions: ["ditto-source"] },
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/build-once.ts"],
    setupFiles: ["test/fixed-seed.ts"],
    testTimeout: 20_000,
    maxWorkers: 2,
  },
});

export default config;
