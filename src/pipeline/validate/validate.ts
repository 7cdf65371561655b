import { pipelineFileSchema } from "../../../schema/pipeline-file.ts";
import type { RoleName } from "../../contracts/json-schema.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { DocumentNode, MappingNode } from "../../document/document.ts";
import type { KeysAbove } from "../../validation/node-walk.ts";
import type { KindRegistry } from "../../plugin/kind-registry.ts";
import type { Assembled, AssembledTarget, Named } from "../model/assembled.ts";
import { member } from "../model/node-access.ts";
import type { ComponentShape, SlotFill, SlotShape } from "../model/shape.ts";
import type { SectionShape, Validated, ValidatedTarget } from "../model/validated.ts";
import { rolesFor, shapeComponent } from "./shape-component.ts";
import type { ComponentPlace, ShapeScope } from "./shape-scope.ts";

const fileKeys: KeysAbove = { label: "the file", keys: Object.keys(pipelineFileSchema.properties ?? {}) };
/** The roles that a resource can have; searches live in targets. */
const resourceRoles: readonly RoleName[] = ["connection", "collection", "embedding", "reranker", "call", "memory-store", "context-store", "worker"];

/**
 * Judges the form of a pipeline's components: every kind and key, by the schemas of the plugins' kinds.
 *
 * @returns What was found, as far as it can be read, and all diagnostics.
 */
export function validate(
  assembled: Assembled,
  options: { readonly registry: KindRegistry; readonly unnamedPlugins: ReadonlyMap<string, string>; readonly failedPlugins: readonly string[] },
): { readonly validated: Validated; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const scopeFor = (named: Pick<Named, "file">, target?: { readonly name: string; readonly strategy: string }): ShapeScope => ({
    ...options,
    file: named.file,
    report: (diagnostic) => diagnostics.push(diagnostic),
    target,
  });
  const resources = new Map<string, ComponentShape>();
  for (const named of assembled.resources) {
    const place = {
      id: `resources.${named.name}`,
      name: named.name,
      roles: resourceRoles,
      label: named.name,
      key: named.key,
      named: true,
      above: fileKeys,
    } as const;
    const shape = shapeComponent(named.node, place, scopeFor(named));
    if (shape !== undefined) resources.set(named.name, shape);
  }
  const targets = new Map(assembled.targets.map((target) => [target.name, validateTarget(target, scopeFor)]));
  const main = scopeFor({ file: assembled.main });
  const validated: Validated = {
    assembled,
    partial: options.failedPlugins.length > 0,
    resources,
    targets,
    memory: section(assembled.root, "memory", { keys: [["store"], ["search"]], scope: main }),
    context: section(assembled.root, "context", { keys: [["store"], ["rag", "search"]], scope: main }),
    graphs: entries(member(assembled.root, "graphs"), assembled),
    ingests: entries(member(assembled.root, "ingest"), assembled),
  };
  return { validated, diagnostics };
}

function validateTarget(
  target: AssembledTarget,
  scopeFor: (named: Named, target: { readonly name: string; readonly strategy: string }) => ShapeScope,
): ValidatedTarget {
  const strategies = target.strategies.map((named) => {
    const place = {
      id: `targets.${target.name}.strategies.${named.name}`,
      name: named.name,
      roles: ["search"] as const,
      label: named.name,
      key: named.key,
      named: true,
      above: { label: target.name, keys: ["default", "strategies"] },
    } as const;
    const component = shapeComponent(named.node, place, scopeFor(named, { name: target.name, strategy: named.name }));
    return [named.name, { named, component }] as const;
  });
  return { name: target.name, file: target.file, named: target, default: target.default, strategies: new Map(strategies) };
}

function section(
  root: MappingNode,
  name: string,
  { keys, scope }: { readonly keys: readonly (readonly string[])[]; readonly scope: ShapeScope },
): SectionShape | undefined {
  const node = member(root, name);
  if (node?.kind !== "mapping") return undefined;
  const slots = new Map<string, SlotShape>();
  for (const path of keys) {
    const found = path.reduce<DocumentNode | undefined>((at, key) => (at?.kind === "mapping" ? member(at, key) : undefined), node);
    if (found === undefined) continue;
    const pointer = path.join("/");
    const annotation = { role: slotRole(name, pointer) };
    const label = `${name}.${path.join(".")}`;
    const fill = sectionFill(found, { id: label, name: pointer, roles: rolesFor(annotation), label }, scope);
    if (fill !== undefined) slots.set(pointer, { pointer, annotation, label, fill });
  }
  return { node, slots };
}

function slotRole(section: string, pointer: string): RoleName {
  if (pointer.endsWith("search")) return "search";
  return section === "memory" ? "memory-store" : "context-store";
}

function sectionFill(node: DocumentNode, place: ComponentPlace, scope: ShapeScope): SlotFill | undefined {
  if (node.kind === "scalar" && typeof node.value === "string") return { kind: "name", name: node.value, place: { file: scope.file, span: node.span }, node };
  const component = shapeComponent(node, place, scope);
  return component === undefined ? undefined : { kind: "component", component };
}

function entries(node: DocumentNode | undefined, assembled: Assembled): Named[] {
  if (node?.kind !== "mapping") return [];
  return node.entries.map(({ key, value }) => ({ name: key.text, key, node: value, file: assembled.main }));
}
