import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

/** A name that an entry of the package exports. */
export interface ExportedName {
  readonly name: string;
  readonly kind: "value" | "type";
  /** Members of an interface of options: `timeoutMs`. */
  readonly members: readonly string[];
}

/**
 * Reads what an entry of the package exports, from its source.
 *
 * @param path Absolute path of a file of `src/public`.
 */
export function exportedNames(path: string): readonly ExportedName[] {
  const found: ExportedName[] = [];
  for (const statement of parse(path).statements) {
    if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier === undefined || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const module = join(dirname(path), statement.moduleSpecifier.text);
    if (statement.exportClause === undefined || !ts.isNamedExports(statement.exportClause)) throw new Error(`${path} exports everything of ${module}`);
    for (const element of statement.exportClause.elements) {
      const type = statement.isTypeOnly || element.isTypeOnly;
      found.push({ name: element.name.text, kind: type ? "type" : "value", members: type ? membersOf(module, element.name.text) : [] });
    }
  }
  return found;
}

function membersOf(path: string, name: string): string[] {
  if (!/(Options|Branch|Resources|Defaults|Policy|Services|Stages|Config)$/.test(name)) return [];
  for (const statement of parse(path).statements) {
    if (!ts.isInterfaceDeclaration(statement) || statement.name.text !== name) continue;
    return statement.members.flatMap((member) => (member.name !== undefined && ts.isIdentifier(member.name) ? [member.name.text] : []));
  }
  return [];
}

const parsed = new Map<string, ts.SourceFile>();

function parse(path: string): ts.SourceFile {
  let file = parsed.get(path);
  if (file === undefined) {
    file = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.ES2023, true);
    parsed.set(path, file);
  }
  return file;
}
