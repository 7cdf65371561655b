import type { ComponentFacts } from "../../contracts/component-facts.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import { nodeSchemas } from "../../../schema/nodes.ts";
import { createDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { DocumentNode } from "../../document/document.ts";
import { hasUnknownPart } from "../model/has-unknown-part.ts";
import { member, stringValue } from "../model/node-access.ts";
import type { PlanContext, PlanMemory, PlanMemorySearch, PlanTemplate } from "../model/plan.ts";
import type { Resolved } from "../model/resolved.ts";
import type { SectionShape } from "../model/validated.ts";
import type { CheckScope } from "./check-scope.ts";
import { checkTemplate } from "./check-template.ts";
import { placeNames } from "./place-names.ts";
import { readTemplate } from "./read-template.ts";

/** Judges `memory`: what it maps, and whether a mapping must be written. */
export function checkMemory(
  resolved: Resolved,
  { known, scope }: { readonly known: ReadonlyMap<string, ComponentFacts>; readonly scope: CheckScope },
): PlanMemory | undefined {
  const section = resolved.validated.memory;
  const found = resolved.memory;
  if (section === undefined || found?.store === undefined) return undefined;
  const searches = searchFacts(found.search, { resolved, known });
  const map = memoryMap(section, { resolved, scope, searches, store: known.get(found.store) });
  const concurrency = member(section.node, "concurrency");
  return {
    store: found.store,
    search: found.search,
    map,
    concurrency: concurrency?.kind === "scalar" && typeof concurrency.value === "number" ? concurrency.value : undefined,
    place: { file: resolved.validated.assembled.main, span: section.node.span },
  };
}

/** Facts of every strategy that a section's search can mean. */
function searchFacts(
  search: PlanMemorySearch | undefined,
  { resolved, known }: { readonly resolved: Resolved; readonly known: ReadonlyMap<string, ComponentFacts> },
): readonly (ComponentFacts | undefined)[] {
  if (search === undefined) return [];
  if (search.kind === "component") return [known.get(search.id)];
  const strategies = resolved.targets[search.target]?.strategies ?? {};
  const ids = search.strategy === undefined ? Object.values(strategies) : [strategies[search.strategy]];
  return ids.map((id) => (id === undefined ? undefined : known.get(id)));
}

interface MapScope {
  readonly resolved: Resolved;
  readonly scope: CheckScope;
  readonly searches: readonly (ComponentFacts | undefined)[];
  readonly store: ComponentFacts | undefined;
}

function memoryMap(section: SectionShape, at: MapScope): PlanMemory["map"] {
  const file = at.resolved.validated.assembled.main;
  const written = member(section.node, "map");
  const word = stringValue(written);
  if (word === "hydrate" || word === "item") return { kind: word };
  // Another word was reported.
  if (word !== undefined && !word.includes("${")) return { kind: "item" };
  if (written !== undefined) {
    const template = readTemplate(written, { file, label: "map", report: at.scope.report });
    const candidates = at.searches.map((facts) => facts?.candidate);
    const candidate = candidates.length === 1 ? candidates[0] : undefined;
    const schema = resultSchema();
    checkTemplate(template, {
      names: { vars: at.scope.varsSchema(file), candidate: candidate ?? {} },
      functions: at.scope.functions,
      schema,
      label: "map",
      report: at.scope.report,
      uses: at.scope.uses,
      atRunTime: at.scope.atRunTime,
    });
    return { kind: "expression", template: { template, annotation: { sees: ["candidate"] }, schema, label: "map" } };
  }
  const store = at.store?.collection?.name;
  const strangers = at.searches.flatMap((facts) => facts?.reaches ?? [undefined]).filter((name) => store === undefined || name !== store);
  const [stranger] = strangers;
  if (strangers.length > 0 && !hasUnknownPart(at.resolved)) {
    const reason =
      stranger === undefined ? "the search reaches something that is not the store" : `the search also reaches "${stranger}", which is not the store`;
    const span = section.slots.get("search")?.fill;
    const place = span?.kind === "name" ? span.place : { file, span: firstKey(section.node) };
    at.scope.report(
      createDiagnostic("DITTO319", {
        ...place,
        arguments: { reason },
        hint: "write `map: item` where candidates are whole memories, or an expression that makes one of `candidate`",
      }),
    );
  }
  return { kind: "hydrate" };
}

function firstKey(node: SectionShape["node"]): DocumentNode["span"] {
  return node.entries[0]?.key.span ?? node.span;
}

/** The schema of one MEMORY.SEARCH result. */
function resultSchema(): JsonSchema {
  const output = nodeSchemas["MEMORY.SEARCH"]?.output.properties?.output;
  const items = output?.items;
  return items === undefined || Array.isArray(items) ? {} : (items as JsonSchema);
}

/** Judges `context`. */
export function checkContext(resolved: Resolved, scope: CheckScope): PlanContext | undefined {
  const section = resolved.validated.context;
  if (section === undefined || resolved.context === undefined) return undefined;
  const file = resolved.validated.assembled.main;
  const rag = member(section.node, "rag");
  const reads = new Set<string>();
  const part = (key: string, schema: JsonSchema): PlanTemplate | undefined => {
    const node = rag?.kind === "mapping" ? member(rag, key) : undefined;
    if (node === undefined) return undefined;
    const annotation = { sees: ["corpus", "query"] };
    const template = readTemplate(node, { file, label: key, report: scope.report });
    const names = { ...placeNames(["corpus"], {}), query: { type: "string" } as const, vars: scope.varsSchema(file) };
    checkTemplate(template, {
      names,
      optionalNames: ["corpus"],
      functions: scope.functions,
      schema,
      label: key,
      report: scope.report,
      uses: (name) => reads.add(name),
      atRunTime: scope.atRunTime,
    });
    return { template, annotation, schema, label: key };
  };
  const search = resolved.context.ragSearch;
  const [namespace, filter] = [part("namespace", { type: "string" }), part("filter", { type: "object", additionalProperties: true })];
  return { store: resolved.context.store, rag: search && { search, namespace, filter, readsCorpus: reads.has("corpus") } };
}
