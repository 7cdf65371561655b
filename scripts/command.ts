import { provideBuiltInPlugins } from "../src/plugin/load-plugins.ts";

export { main } from "../src/cli/main.ts";

// The command is one file for the sake of its cold start, so it brings the built-in plugins with it; everybody else imports them
// by their names.
provideBuiltInPlugins({
  sqlite: () => import("../plugins/sqlite/index.ts"),
  postgres: () => import("../plugins/postgres/index.ts"),
  mysql: () => import("../plugins/mysql/index.ts"),
  milvus: () => import("../plugins/milvus/index.ts"),
  "local-embedding": () => import("../plugins/local-embedding/index.ts"),
  "http-embedding": () => import("../plugins/http-embedding/index.ts"),
  "transformers-embedding": () => import("../plugins/transformers-embedding/index.ts"),
});
