import ts from "typescript";
import type { DocumentBlock } from "./extract-blocks.ts";

/** A module made of blocks, unchanged, each at its document's own lines. */
export interface DocumentUnit {
  /** File name without extension, unique. */
  readonly name: string;
  readonly document: string;
  /** First line of each block. */
  readonly lines: readonly number[];
  /** `interfaces` is compared with the package's types; the other kinds are run. */
  readonly kind: "interfaces" | "examples" | "fragment";
  readonly code: string;
  /** What the module hands out: all that a fragment declares at its outermost level, and what examples export. */
  readonly exports: readonly string[];
  /** Interfaces that the blocks write out, with their number of type parameters. */
  readonly interfaces: readonly { readonly name: string; readonly parameters: number }[];
}

/** The one substitution: the documents were written for two packages, of which this one is both. */
function substitute(code: string): string {
  return code.replaceAll(/"@codesoul-co\/ditto-retrieval((?:\/[\w/-]+)?)"/gu, '"@codesoul-co/ditto/retrieval$1"');
}

/**
 * Joins the blocks of a document to modules. A block with imports opens one; where those are for examples, the exported functions
 * that follow share them, as the document says. Every other block is a module of its own.
 *
 * @param document The document's name.
 * @param blocks Its TypeScript blocks.
 */
export function planUnits(document: string, blocks: readonly DocumentBlock[]): readonly DocumentUnit[] {
  const groups: { blocks: DocumentBlock[]; open: boolean }[] = [];
  for (const block of blocks) {
    const { imports, exports, others } = countStatements(block.code);
    const last = groups.at(-1);
    if (imports === 0 && exports > 0 && last?.open === true) last.blocks.push(block);
    else groups.push({ blocks: [block], open: imports > 0 && (exports > 0 || others === 0) });
  }
  return groups.map(({ blocks: members, open }, index) => unitOf(`${document.replaceAll(/\W+/gu, "-")}-${index + 1}`, { document, blocks: members, open }));
}

function countStatements(code: string): { readonly imports: number; readonly exports: number; readonly others: number } {
  const statements = parse(code).statements;
  const imports = statements.filter(ts.isImportDeclaration).length;
  const exports = statements.filter(isExported).length;
  return { imports, exports, others: statements.length - imports - exports };
}

function unitOf(name: string, group: { readonly document: string; readonly blocks: readonly DocumentBlock[]; readonly open: boolean }): DocumentUnit {
  const { document, blocks, open } = group;
  const code = substitute(atOwnLines(blocks.map((block) => ({ ...block, code: membersAsObjects(block.code) }))));
  const { statements } = parse(code);
  const interfaces = statements.filter(ts.isInterfaceDeclaration);
  const kind = open ? "examples" : interfaces.length === statements.length ? "interfaces" : "fragment";
  return {
    name,
    document,
    lines: blocks.map(({ line }) => line),
    kind,
    code,
    exports: statements.filter((statement) => kind === "fragment" || isExported(statement)).flatMap(declaredValues),
    interfaces: interfaces.map((declaration) => ({ name: declaration.name.text, parameters: declaration.typeParameters?.length ?? 0 })),
  };
}

/** Members of an object, each shown on its own (`query: async () => ...`), become objects: only then do they have a type. */
function membersAsObjects(code: string): string {
  const source = parse(code);
  const members = source.statements.filter(ts.isLabeledStatement);
  if (members.length === 0) return code;
  const objects = members.map((member, index) => {
    const text = member.getText(source).replace(/;$/u, "");
    return `const member${index + 1} = { ${text} } satisfies Pick<SqlSearchOptions<unknown>, "${member.label.text}">;`;
  });
  return code.split("\n").length === members.length + 1 ? `${code.split("\n")[0]}\n${objects.join("\n")}` : objects.join("\n");
}

function atOwnLines(blocks: readonly DocumentBlock[]): string {
  const lines: string[] = [];
  for (const block of blocks) {
    while (lines.length < block.line - 1) lines.push("");
    lines.push(...block.code.split("\n"));
  }
  return lines.join("\n");
}

function declaredValues(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
  return ts.isFunctionDeclaration(statement) && statement.name !== undefined ? [statement.name.text] : [];
}

function isExported(statement: ts.Statement): boolean {
  return ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
}

function parse(code: string): ts.SourceFile {
  return ts.createSourceFile("block.ts", code, ts.ScriptTarget.ES2023, true);
}
