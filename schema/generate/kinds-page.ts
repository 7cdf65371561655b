import type { RoleName } from "../../src/contracts/json-schema.ts";
import { writeYaml } from "../../src/document/write-yaml.ts";
import type { EditorKind } from "../editor-schema.ts";
import { keyTable } from "./key-table.ts";

const roles: readonly (readonly [RoleName, string])[] = [
  ["connection", "Connections"],
  ["collection", "Collections"],
  ["search", "Searches"],
  ["embedding", "Embeddings"],
  ["reranker", "Rerankers"],
  ["call", "Calls"],
  ["memory-store", "Memory stores"],
  ["context-store", "Context stores"],
  ["worker", "Workers"],
];

/** Writes the reference page of the kinds of this package and its plugins. */
export function kindsPage(kinds: readonly EditorKind[]): string {
  const sections = roles.flatMap(([role, title]) => {
    const own = kinds.filter((kind) => kind.role === role);
    return own.length === 0 ? [] : [`## ${title}`, ...own.map(section)];
  });
  return `# Kinds\n\nWhat a component can be. NAME stands for a name of your own.\n\n${sections.join("\n\n")}\n`;
}

function section({ kind, summary, schema, example }: EditorKind): string {
  const table = schema.type === "array" ? "A list.\n" : keyTable(schema);
  return [`### ${kind}`, summary, table.trimEnd(), `\`\`\`yaml\n${writeYaml({ [kind]: example }).trimEnd()}\n\`\`\``].join("\n\n");
}
