import { pipelineFileSchema } from "../pipeline-file.ts";
import { projectFileSchema } from "../project-file.ts";
import { keyTable } from "./key-table.ts";

/** Writes the reference page of pipeline files. */
export function pipelineFilePage(): string {
  const components = "Components under `resources` and `strategies` have one key, their [kind](kinds.md). `input` is a JSON Schema (draft-07).";
  return `# Pipeline file\n\nNAME stands for a name of your own.\n\n${keyTable(pipelineFileSchema)}\n${components}\n`;
}

/** Writes the reference page of `ditto.yaml`. */
export function configurationPage(): string {
  const environment = "Names, addresses and credentials come from the environment: `.env.example` lists the variables.";
  return `# ditto.yaml\n\nThe nearest one upward from a pipeline counts. Everything may be left out.\n\n${keyTable(projectFileSchema)}\n${environment}\n`;
}
