import { typeOfSchema } from "../../src/validation/type-of-schema.ts";
import { nodeSchemas } from "../nodes.ts";

/** Writes the reference page of the package's own nodes. */
export function nodesPage(): string {
  const sections = Object.entries(nodeSchemas).map(([name, { description, input, output }]) =>
    [`## ${name}`, description, "Input:", code(typeOfSchema(input)), "What an expression sees after success:", code(typeOfSchema(output))].join("\n\n"),
  );
  return `# Nodes\n\nWhat graphs can invoke. MEMORY and RETRIEVAL wrap their output, CONTEXT gives it as it is.\n\n${sections.join("\n\n")}\n`;
}

function code(text: string): string {
  return `\`\`\`ts\n${text}\n\`\`\``;
}
