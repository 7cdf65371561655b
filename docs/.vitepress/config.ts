import { type DefaultTheme, defineConfig, type UserConfig } from "vitepress";

const page = (text: string, link: string): DefaultTheme.SidebarItem => ({ text, link: `/${link}` });

/** Every page of `docs`, in reading order; a test holds it complete. */
export const sidebar: DefaultTheme.SidebarItem[] = [
  {
    text: "Use it",
    items: [
      page("Getting started", "getting-started"),
      page("The language", "language"),
      page("The command line", "command-line"),
      page("Cookbook", "cookbook"),
      page("Engines", "engines"),
      page("From TypeScript", "typescript"),
      page("Plugins", "plugins"),
    ],
  },
  {
    text: "Run it",
    items: [
      page("Reload", "live"),
      page("Serve", "serve"),
      page("Agents over MCP", "mcp"),
      page("Containers", "container"),
      page("Beyond one machine", "scaling"),
      page("Security", "security"),
    ],
  },
  {
    text: "Make it better",
    items: [page("Explain and trace", "explain"), page("Evaluate and test", "evaluate"), page("Retrieval quality", "quality")],
  },
  {
    text: "Reference",
    items: [
      page("Pipeline file", "reference/pipeline-file"),
      page("Kinds", "reference/kinds"),
      page("Nodes", "reference/nodes"),
      page("ditto.yaml", "reference/configuration"),
      page("Commands", "reference/commands"),
      page("Diagnostics", "reference/diagnostics"),
      page("What YAML can say", "reach"),
    ],
  },
  {
    text: "About",
    items: [
      page("Beside its peers", "comparison"),
      page("Coming from …", "coming-from"),
      page("Architecture", "architecture"),
      page("Decisions", "decisions"),
      page("Versions", "versioning"),
    ],
  },
];

const config: UserConfig<DefaultTheme.Config> = defineConfig({
  title: "Ditto",
  description: "Retrieval pipelines as YAML: hybrid search, reranking, agent memory and context assembly.",
  cleanUrls: true,
  lastUpdated: false,
  outDir: "../.cache/site",
  cacheDir: "../.cache/vitepress",
  themeConfig: { search: { provider: "local" }, outline: [2, 3], sidebar },
});

export default config;
