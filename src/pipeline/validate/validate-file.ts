import { includedFileSchema, pipelineFileSchema } from "../../../schema/pipeline-file.ts";
import { createDiagnostic, type Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { KeyNode, MappingNode, SourceFile } from "../../document/document.ts";
import { isHole } from "../../validation/node-walk.ts";
import { validateNode } from "../../validation/validate-node.ts";
import { member } from "../model/node-access.ts";
import { renameKeys } from "../model/rename-keys.ts";
import { withoutExpressionKeys } from "./expression-keys.ts";
import { reportReservedNames } from "./reserved-names.ts";

/**
 * Judges the form of one file: its sections and their keys, whatever profile is chosen and whatever plugins there are.
 *
 * @param written The file's mapping.
 * @param at The file, and whether another one includes it: then it needs no name and version of its own.
 * @returns The mapping with misspelt keys called what was meant.
 */
export function validateFile(
  written: MappingNode,
  { file, included }: { readonly file: SourceFile; readonly included: boolean },
): { readonly root: MappingNode; readonly diagnostics: readonly Diagnostic[] } {
  const schema = included ? includedFileSchema : pipelineFileSchema;
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const meant = new Map<KeyNode, string>();
  const named = withoutExpressionKeys(written, { file, report });
  for (const diagnostic of validateNode(named, schema, { file, place: "the file", onMisspelt: (key, name) => meant.set(key, name) })) report(diagnostic);
  const root = renameKeys(named, meant) as MappingNode;
  reportReservedNames(root, { schema, file, report });
  reportHoles(root, { file, report });
  return { root, diagnostics };
}

/** What says what the file is stands before anything that an expression could see. */
function reportHoles(root: MappingNode, { file, report }: { readonly file: SourceFile; readonly report: (diagnostic: Diagnostic) => void }): void {
  for (const key of ["version", "name", "include"]) {
    const node = member(root, key);
    for (const item of node?.kind === "sequence" ? node.items : node === undefined ? [] : [node]) {
      if (item.kind === "scalar" && item.unreadable !== true && isHole(item))
        report(createDiagnostic("DITTO412", { file, span: item.span, arguments: { place: key } }));
    }
  }
}
