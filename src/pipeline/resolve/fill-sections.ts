import { pipelineFileSchema } from "../../../schema/pipeline-file.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import type { MappingNode, ScalarNode, SourceFile } from "../../document/document.ts";
import type { Named } from "../model/assembled.ts";
import type { SlotShape } from "../model/shape.ts";
import type { SectionShape, Validated, ValidatedTarget } from "../model/validated.ts";
import type { HoleScope } from "./resolve-hole.ts";
import { sectionConstants } from "./section-constants.ts";
import { slotName } from "./slot-name.ts";

type ScopeOf = (file: SourceFile) => HoleScope;

/** Puts the values of `vars` into the sections of a pipeline that are no components: graphs, ingests, `memory`, `context`, defaults. */
export function fillSections(validated: Validated, scopeOf: ScopeOf): Validated {
  const main = scopeOf(validated.assembled.main);
  const named = (entries: readonly Named[], section: string): readonly Named[] => {
    const schema = memberOf(section)?.additionalProperties;
    return entries.map((entry) => ({
      ...entry,
      node: sectionConstants(entry.node, schema as JsonSchema | undefined, { label: entry.name, scope: scopeOf(entry.file) }),
    }));
  };
  return {
    ...validated,
    targets: new Map([...validated.targets].map(([name, target]) => [name, withDefault(target, scopeOf(target.file))])),
    memory: fillSection(validated.memory, { name: "memory", scope: main }),
    context: fillSection(validated.context, { name: "context", scope: main }),
    graphs: named(validated.graphs, "graphs"),
    ingests: named(validated.ingests, "ingest"),
  };
}

function memberOf(section: string): JsonSchema | undefined {
  return pipelineFileSchema.properties?.[section];
}

function withDefault(target: ValidatedTarget, scope: HoleScope): ValidatedTarget {
  if (target.default === undefined) return target;
  const schema = (memberOf("targets")?.additionalProperties as JsonSchema | undefined)?.properties?.default;
  return { ...target, default: sectionConstants(target.default, schema, { label: "default", scope }) as ScalarNode };
}

function fillSection(section: SectionShape | undefined, { name, scope }: { readonly name: string; readonly scope: HoleScope }): SectionShape | undefined {
  if (section === undefined) return undefined;
  // What \`map\` is made of are expressions, not constants.
  const { map: _, ...properties } = memberOf(name)?.properties ?? {};
  const node = sectionConstants(section.node, { ...memberOf(name), properties, additionalProperties: true }, { label: name, scope }) as MappingNode;
  const slots = [...section.slots].flatMap(([key, slot]): (readonly [string, SlotShape])[] => {
    const filled = slotName(slot, scope);
    return filled === undefined ? [] : [[key, filled]];
  });
  return { node, slots: new Map(slots) };
}
