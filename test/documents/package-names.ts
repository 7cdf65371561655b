import ts from "typescript";

/** Where a name is exported, and whether it is a type only. */
export interface PackageName {
  readonly specifier: string;
  readonly typeOnly: boolean;
}

/** The entries that applications of the documents import from; of a name in several, the first counts. */
const entries = [
  "@codesoul-co/ditto",
  "@codesoul-co/ditto/worker/memory",
  "@codesoul-co/ditto/worker/context",
  "@codesoul-co/ditto/retrieval",
  "@codesoul-co/ditto/retrieval/adapters/memory",
  "@codesoul-co/ditto/retrieval/adapters/context",
  "@codesoul-co/ditto/runtime/sandbox",
];

/**
 * Lists what the package exports.
 *
 * @param file A file beside which the package can be resolved; it need not exist.
 * @param options Options of the compiler.
 */
export function packageNames(file: string, options: ts.CompilerOptions): ReadonlyMap<string, PackageName> {
  const host = ts.createCompilerHost(options);
  const text = entries.map((specifier) => `import "${specifier}";`).join("\n");
  const { getSourceFile } = host;
  host.getSourceFile = (name, ...rest) => (name === file ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2023, true) : getSourceFile(name, ...rest));
  host.fileExists = (name) => name === file || ts.sys.fileExists(name);
  const program = ts.createProgram({ rootNames: [file], options, host });
  const checker = program.getTypeChecker();
  const names = new Map<string, PackageName>();
  for (const statement of program.getSourceFile(file)?.statements ?? []) {
    if (!ts.isImportDeclaration(statement)) continue;
    const specifier = (statement.moduleSpecifier as ts.StringLiteral).text;
    const module = checker.getSymbolAtLocation(statement.moduleSpecifier);
    if (module === undefined) throw new Error(`${specifier} cannot be resolved`);
    for (const symbol of checker.getExportsOfModule(module)) {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      const typeOnly = (target.flags & ts.SymbolFlags.Value) === 0;
      if (!names.has(symbol.name)) names.set(symbol.name, { specifier, typeOnly });
    }
  }
  return names;
}
