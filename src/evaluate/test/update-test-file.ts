import { writeFileSync } from "node:fs";
import { applyEdits } from "../../document/apply-edits.ts";
import type { TextEdit } from "../../document/document.ts";
import { nodeAt } from "../../document/find-node.ts";
import { parseDocument } from "../../document/parse-document.ts";
import { canonicalJson } from "../../base/canonical-json.ts";
import type { Unmet } from "./check-expectation.ts";

/**
 * Writes what came out in place of what was expected, and changes nothing else in the file.
 *
 * @param path Absolute path.
 * @param text The file.
 * @param unmet With pointers from the file's root; those without a value of their own are left alone.
 * @returns How many were written.
 */
export function updateTestFile(path: string, text: string, unmet: readonly Unmet[]): number {
  const { root } = parseDocument({ path, text });
  if (root === undefined) return 0;
  const edits = unmet.flatMap(({ pointer, actual }): readonly TextEdit[] => {
    const node = actual === undefined ? undefined : nodeAt(root, pointer)?.node;
    return node === undefined || actual === undefined ? [] : [{ span: node.span, text: canonicalJson(actual).replaceAll('","', '", "') }];
  });
  if (edits.length > 0) writeFileSync(path, applyEdits(text, edits));
  return edits.length;
}
