import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PackageName } from "./package-names.ts";
import type { DocumentUnit } from "./plan-units.ts";

/** The written modules by what they are for. */
export interface WrittenModules {
  readonly units: readonly string[];
  /** What a document writes out is taken where the package's type is wanted. */
  readonly taken: readonly string[];
  /** The package's type is given where what a document writes out is wanted. */
  readonly given: readonly string[];
}

/**
 * Writes each unit as a module, and for each that writes interfaces out two more that compare them with the package's.
 *
 * Below the document's own text, where no line number changes, a module imports the names of the package that its blocks use
 * without an import of their own, and hands out what it declares.
 *
 * @param folder Where.
 * @param units The units.
 * @param names What the package exports.
 * @returns The modules' paths.
 */
export function writeModules(folder: string, units: readonly DocumentUnit[], names: ReadonlyMap<string, PackageName>): WrittenModules {
  const written = { units: [] as string[], taken: [] as string[], given: [] as string[] };
  const write = (kind: keyof WrittenModules, name: string, text: string) => {
    const path = join(folder, `${name}.ts`);
    writeFileSync(path, text);
    written[kind].push(path);
  };
  for (const unit of units) {
    write("units", unit.name, `${unit.code}\n${unit.kind === "examples" ? "" : surroundings(unit, names)}`);
    const known = unit.interfaces.filter(({ name }) => names.has(name));
    if (unit.kind === "examples" || known.length === 0) continue;
    const imports = [`import type * as Written from "./${unit.name}.js";`, ...known.map(({ name }) => importOf(name, names.get(name)!))];
    const filled = known.map(({ name, parameters }) => ({ name, filled: `${name}${typeArguments(parameters)}` }));
    write(
      "taken",
      `${unit.name}-taken`,
      lines([...imports, ...filled.map(({ name, filled: type }) => `export const ${name}Taken: ${type} = null! as Written.${type};`)]),
    );
    write(
      "given",
      `${unit.name}-given`,
      lines([...imports, ...filled.map(({ name, filled: type }) => `export const ${name}Given: Written.${type} = null! as ${type};`)]),
    );
  }
  return written;
}

function surroundings(unit: DocumentUnit, names: ReadonlyMap<string, PackageName>): string {
  const own = new Set([...unit.exports, ...unit.interfaces.map(({ name }) => name)]);
  const imported = new Set([...unit.code.matchAll(/import [^;]*;/gu)].flatMap(([text]) => text.match(/\w+/gu) ?? []));
  const used = new Set(unit.code.match(/\b[A-Za-z]\w*\b/gu));
  const imports = [...names].filter(([name]) => used.has(name) && !own.has(name) && !imported.has(name)).map(([name, found]) => importOf(name, found));
  const types = unit.interfaces.map(({ name }) => name);
  const values = unit.exports.filter((name) => !new RegExp(String.raw`^export .*\b${name}\b`, "mu").test(unit.code));
  const exports = [
    values.length > 0 || types.length === 0 ? `export { ${values.join(", ")} };` : "",
    types.length > 0 ? `export type { ${types.join(", ")} };` : "",
  ];
  return lines([...imports, ...exports]);
}

function importOf(name: string, { specifier, typeOnly }: PackageName): string {
  return `import ${typeOnly ? "type " : ""}{ ${name} } from "${specifier}";`;
}

function typeArguments(count: number): string {
  return count === 0 ? "" : `<${Array.from({ length: count }, () => "{ readonly marker: true }").join(", ")}>`;
}

function lines(texts: readonly string[]): string {
  return `${texts.join("\n")}\n`;
}
