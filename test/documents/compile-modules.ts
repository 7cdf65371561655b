import { join } from "node:path";
import ts from "typescript";

/** A set of compiler options under which an application may compile. */
export interface Flags {
  readonly name: string;
  readonly options: ts.CompilerOptions;
}

/**
 * The flags of a plain application, and those of this repository. Of the latter, those about declarations are left out: they ask
 * for a return type on every exported function, which is a matter of style.
 *
 * @param root The repository.
 * @param dist Whether the package's build is compiled against, instead of its source.
 */
export function compilerFlags(root: string, dist: boolean): readonly [Flags, Flags] {
  const { options } = ts.convertCompilerOptionsFromJson(ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile).config.compilerOptions, root);
  const plain: ts.CompilerOptions = {
    strict: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    noEmit: true,
    skipLibCheck: true,
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
    // The source names its modules with `.ts`; an application that compiles against the build never meets that.
    ...(dist ? {} : { customConditions: ["ditto-source"], allowImportingTsExtensions: true, resolveJsonModule: true }),
  };
  const { isolatedDeclarations: _, declaration: __, incremental: ___, tsBuildInfoFile: ____, customConditions: _____, ...own } = options;
  return [
    { name: "strict", options: plain },
    { name: "strict and the repository's flags", options: { ...own, ...plain } },
  ];
}

/**
 * Compiles modules and tells what is wrong in them.
 *
 * @param paths The modules.
 * @param flags The options.
 * @param ambient A file of declarations that they may use.
 * @param inside Also tells what is wrong in files below this folder: the package's declarations.
 */
export function compileModules(
  paths: readonly string[],
  flags: Flags,
  { ambient, inside }: { readonly ambient?: string | undefined; readonly inside?: string | undefined },
): readonly string[] {
  const options = inside === undefined ? flags.options : { ...flags.options, skipLibCheck: false };
  const program = ts.createProgram(ambient === undefined ? paths : [...paths, ambient], options);
  const own = new Set(paths);
  const judged = program
    .getSourceFiles()
    .filter(({ fileName }) => own.has(fileName) || fileName === ambient || (inside !== undefined && fileName.startsWith(inside)));
  const found = [
    ...program.getOptionsDiagnostics(),
    ...judged.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ];
  return found.map(({ file, start, code, messageText }) => {
    const place = file === undefined || start === undefined ? "options" : `${file.fileName}:${file.getLineAndCharacterOfPosition(start).line + 1}`;
    return `${place} TS${code} ${ts.flattenDiagnosticMessageText(messageText, "\n  ")}`;
  });
}
