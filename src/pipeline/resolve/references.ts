import { nearestName } from "../../base/nearest-names.ts";
import { createDiagnostic, type Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Fix } from "../../document/document.ts";
import { spanInSource } from "../../document/offset-in-source.ts";
import { aRole } from "../model/a-role.ts";
import type { SlotFill, SlotShape } from "../model/shape.ts";
import type { Validated, ValidatedTarget } from "../model/validated.ts";

type Name = Extract<SlotFill, { readonly kind: "name" }>;

/** A strategy by the two names that lead to it. */
export interface FoundStrategy {
  readonly target: string;
  readonly strategy: string;
}

/** Follows names: searches among strategies, everything else among resources. */
export class References {
  /** Names of resources that were followed to, or that were probably meant. */
  readonly used: Set<string> = new Set();
  readonly #validated: Validated;
  readonly #report: (diagnostic: Diagnostic) => void;
  readonly #defaults = new Map<string, string | undefined>();
  readonly #declared: ReadonlySet<string>;

  constructor(validated: Validated, report: (diagnostic: Diagnostic) => void) {
    this.#validated = validated;
    this.#report = report;
    this.#declared = new Set(validated.assembled.resources.map(({ name }) => name));
  }

  /** The component that fills a slot; undefined where there is none, which is reported. */
  slotId(slot: SlotShape, sibling: string | undefined): string | undefined {
    const { fill, annotation } = slot;
    if (fill.kind === "component") return fill.component.id;
    if (annotation.role === "search") {
      const found = this.search(fill, { sibling, literals: annotation.literals });
      return found === undefined ? undefined : this.#validated.targets.get(found.target)?.strategies.get(found.strategy)?.component?.id;
    }
    return this.#resource(fill, slot);
  }

  /** The strategy that a name means: a sibling, another target's (`target/strategy`), or a target's default. */
  search(fill: Name, at: { readonly sibling: string | undefined; readonly literals?: readonly string[] | undefined }): FoundStrategy | undefined {
    const { targets } = this.#validated;
    const slash = fill.name.indexOf("/");
    if (slash !== -1) return this.#strategyOf(fill, { target: fill.name.slice(0, slash), strategy: fill.name.slice(slash + 1) });
    if (at.sibling !== undefined && targets.get(at.sibling)?.strategies.has(fill.name)) return { target: at.sibling, strategy: fill.name };
    const target = targets.get(fill.name);
    if (target !== undefined) {
      const strategy = this.defaultOf(target);
      return strategy === undefined ? undefined : { target: target.name, strategy };
    }
    this.#unknownSearch(fill, at);
    return undefined;
  }

  /** A target's default strategy; reported once where there is none. */
  defaultOf(target: ValidatedTarget): string | undefined {
    if (this.#defaults.has(target.name)) return this.#defaults.get(target.name);
    const found = this.#findDefault(target);
    this.#defaults.set(target.name, found);
    return found;
  }

  #findDefault(target: ValidatedTarget): string | undefined {
    const names = [...target.strategies.keys()];
    const written = target.default?.value;
    if (target.default === undefined || typeof written !== "string") {
      if (names.length <= 1 || target.default !== undefined) return names[0];
      const hint = `name one: ${names.slice(0, 8).join(", ")}`;
      this.#report(createDiagnostic("DITTO313", { file: target.file, span: target.named.key.span, arguments: { target: target.name }, hint }));
      return undefined;
    }
    if (target.strategies.has(written)) return written;
    this.#unknownStrategy(
      { kind: "name", name: written, place: { file: target.file, span: target.default.span }, node: target.default },
      { target, strategy: written },
    );
    return undefined;
  }

  #strategyOf(fill: Name, wanted: FoundStrategy): FoundStrategy | undefined {
    const target = this.#validated.targets.get(wanted.target);
    if (target === undefined) {
      if (this.#isIncomplete("targets")) return undefined;
      const names = [...this.#validated.targets.keys()];
      const near = nearestName(wanted.target, names);
      const suggestion = near && `${near}/${wanted.strategy}`;
      const hint = suggestion === undefined ? namesHint("targets", names) : undefined;
      this.#report(createDiagnostic("DITTO315", { ...fill.place, arguments: { name: wanted.target }, suggestion, fix: renameFix(fill, suggestion), hint }));
      return undefined;
    }
    if (target.strategies.has(wanted.strategy)) return { target: target.name, strategy: wanted.strategy };
    this.#unknownStrategy(fill, { target, strategy: wanted.strategy });
    return undefined;
  }

  #unknownStrategy(fill: Name, wanted: { readonly target: ValidatedTarget; readonly strategy: string }): void {
    const names = [...wanted.target.strategies.keys()];
    // A target without a readable strategy was reported.
    if (names.length === 0) return;
    const near = nearestName(wanted.strategy, names);
    const suggestion = near !== undefined && fill.name.includes("/") ? `${wanted.target.name}/${near}` : near;
    this.#report(
      createDiagnostic("DITTO314", {
        ...fill.place,
        arguments: { target: wanted.target.name, name: wanted.strategy },
        suggestion,
        fix: renameFix(fill, suggestion),
        hint: suggestion === undefined ? namesHint("strategies", names) : undefined,
      }),
    );
  }

  #unknownSearch(fill: Name, { sibling, literals = [] }: { readonly sibling: string | undefined; readonly literals?: readonly string[] | undefined }): void {
    const { targets, resources } = this.#validated;
    const siblings = sibling === undefined ? [] : [...(targets.get(sibling)?.strategies.keys() ?? [])];
    const legal = [...siblings, ...targets.keys()];
    const resource = resources.get(fill.name);
    if (resource !== undefined) {
      this.used.add(fill.name);
      if (resource.registered === undefined) return;
      const hint =
        resource.role === "collection" ? `search it with { vector: { collection: ${fill.name} } } or { text: { collection: ${fill.name} } }` : undefined;
      this.#report(
        createDiagnostic("DITTO302", {
          ...fill.place,
          arguments: { name: fill.name, found: resource.role === undefined ? resource.kind : aRole(resource.role), place: "this slot", role: aRole("search") },
          hint,
        }),
      );
      return;
    }
    if (this.#isIncomplete("targets")) return;
    const elsewhere = [...targets.values()].filter((target) => target.strategies.has(fill.name)).map((target) => `${target.name}/${fill.name}`);
    const suggestion = nearestName(fill.name, legal) ?? (elsewhere.length === 1 ? elsewhere[0] : undefined);
    this.#report(
      createDiagnostic("DITTO301", {
        ...fill.place,
        arguments: { role: sibling === undefined ? "target" : "strategy", name: fill.name },
        suggestion,
        fix: renameFix(fill, suggestion),
        hint:
          literals.includes("fail") && fill.name === "skip"
            ? "`skip` is for branches of a hybrid and for rerankers; here stands a search to use instead"
            : suggestion === undefined
              ? namesHint(sibling === undefined ? "targets" : "searches", legal)
              : undefined,
      }),
    );
  }

  #resource(fill: Name, slot: SlotShape): string | undefined {
    const { resources, targets } = this.#validated;
    const { role, kinds } = slot.annotation;
    const found = resources.get(fill.name);
    const wrong = (is: string, wanted: string): undefined => {
      this.#report(
        createDiagnostic("DITTO302", {
          ...fill.place,
          arguments: { name: fill.name, found: is, place: slot.label, role: wanted },
          hint: namesHint(`of role ${role.replace("-", " ")}`, this.#named(slot)),
        }),
      );
    };
    if (found !== undefined) {
      this.used.add(fill.name);
      // A kind that is unknown was reported; what refers to it is not wrong as well.
      if (found.role === undefined || found.registered === undefined) return found.id;
      const fits = found.role === role || (role === "memory-store" && found.role === "collection");
      if (!fits) return wrong(aRole(found.role), aRole(role));
      return kinds === undefined || kinds.includes(found.kind) ? found.id : wrong(`of the kind ${found.kind}`, kinds.join(" or "));
    }
    if (this.#declared.has(fill.name)) {
      // It is no component, which was reported.
      this.used.add(fill.name);
      return undefined;
    }
    if (this.#isIncomplete("resources")) return undefined;
    if (targets.has(fill.name)) return wrong(aRole("target"), aRole(role));
    this.#unknownResource(fill, slot);
    return undefined;
  }

  #unknownResource(fill: Name, slot: SlotShape): void {
    const { role } = slot.annotation;
    const legal = this.#named(slot);
    const suggestion = nearestName(fill.name, legal) ?? nearestName(fill.name, this.#declared);
    // What was probably meant is not unused as well.
    if (suggestion !== undefined) this.used.add(suggestion);
    const hint = suggestion === undefined ? namesHint(`of role ${role.replace("-", " ")}`, legal) : undefined;
    this.#report(
      createDiagnostic("DITTO301", {
        ...fill.place,
        arguments: { role: role.replace("-", " "), name: fill.name },
        suggestion,
        fix: renameFix(fill, suggestion),
        hint,
      }),
    );
  }

  #isIncomplete(section: "resources" | "targets"): boolean {
    return this.#validated.assembled.incomplete.has(section);
  }

  /** Resources that a slot could name. */
  #named(slot: SlotShape): string[] {
    const { role, kinds } = slot.annotation;
    return [...this.#validated.resources.values()]
      .filter((shape) => shape.role === role || (role === "memory-store" && shape.role === "collection"))
      .filter((shape) => kinds === undefined || kinds.includes(shape.kind))
      .map((shape) => shape.name);
  }
}

/** Puts another name in place of one that is written out, its quotes kept. */
function renameFix({ node, name: written }: Name, name: string | undefined): Fix | undefined {
  if (name === undefined || node === undefined || node.alias !== undefined || node.text !== written) return undefined;
  return { title: `write "${name}"`, edits: [{ span: spanInSource(node, { start: 0, end: node.text.length }), text: name }] };
}

function namesHint(what: string, names: readonly string[]): string {
  if (names.length === 0) return `the file declares none ${what.startsWith("of") ? what : `of the ${what}`}`;
  const shown = names.slice(0, 8).join(", ");
  return names.length > 8 ? `there are ${shown} and ${names.length - 8} more` : `there ${names.length === 1 ? "is" : "are"} ${shown}`;
}
