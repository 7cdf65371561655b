import { nearestName } from "../../base/nearest-names.ts";
import { createDiagnostic, type Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { SlotFill, SlotShape } from "../model/shape.ts";
import type { Validated, ValidatedTarget } from "../model/validated.ts";

type Name = Extract<SlotFill, { readonly kind: "name" }>;

/** Follows names: searches among strategies, everything else among resources. */
export class References {
  /** Names of resources that were followed to. */
  readonly used: Set<string> = new Set();
  readonly #validated: Validated;
  readonly #report: (diagnostic: Diagnostic) => void;
  readonly #defaults = new Map<string, string | undefined>();

  constructor(validated: Validated, report: (diagnostic: Diagnostic) => void) {
    this.#validated = validated;
    this.#report = report;
  }

  /** The component that fills a slot; undefined where there is none, which is reported. */
  slotId(slot: SlotShape, sibling: string | undefined): string | undefined {
    const { fill, annotation } = slot;
    if (fill.kind === "component") return fill.component.id;
    if (annotation.role === "search") {
      const found = this.search(fill, { sibling });
      return found === undefined ? undefined : this.#validated.targets.get(found.target)?.strategies.get(found.strategy)?.component?.id;
    }
    return this.#resource(fill, slot);
  }

  /** The strategy that a name means: a sibling, another target's (`target/strategy`), or a target's default. */
  search(fill: Name, at: { readonly sibling: string | undefined }): { readonly target: string; readonly strategy: string } | undefined {
    const { targets } = this.#validated;
    const slash = fill.name.indexOf("/");
    if (slash !== -1) return this.#strategyOf(fill, { target: fill.name.slice(0, slash), strategy: fill.name.slice(slash + 1) });
    if (at.sibling !== undefined && targets.get(at.sibling)?.strategies.has(fill.name)) return { target: at.sibling, strategy: fill.name };
    const target = targets.get(fill.name);
    if (target !== undefined) {
      const strategy = this.defaultOf(target);
      return strategy === undefined ? undefined : { target: target.name, strategy };
    }
    this.#unknownSearch(fill, at.sibling);
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
    this.#unknownStrategy({ kind: "name", name: written, place: { file: target.file, span: target.default.span } }, { target, strategy: written });
    return undefined;
  }

  #strategyOf(fill: Name, wanted: { readonly target: string; readonly strategy: string }): { readonly target: string; readonly strategy: string } | undefined {
    const target = this.#validated.targets.get(wanted.target);
    if (target === undefined) {
      const span = { start: fill.place.span.start, end: fill.place.span.end };
      const suggestion = nearestName(wanted.target, this.#validated.targets.keys());
      const hint = suggestion === undefined ? namesHint("targets", [...this.#validated.targets.keys()]) : undefined;
      this.#report(createDiagnostic("DITTO315", { file: fill.place.file, span, arguments: { name: wanted.target }, suggestion: suggestion && `${suggestion}/${wanted.strategy}`, hint }));
      return undefined;
    }
    if (target.strategies.has(wanted.strategy)) return { target: target.name, strategy: wanted.strategy };
    this.#unknownStrategy(fill, { target, strategy: wanted.strategy });
    return undefined;
  }

  #unknownStrategy(fill: Name, wanted: { readonly target: ValidatedTarget; readonly strategy: string }): void {
    const names = [...wanted.target.strategies.keys()];
    const near = nearestName(wanted.strategy, names);
    const suggestion = near !== undefined && fill.name.includes("/") ? `${wanted.target.name}/${near}` : near;
    this.#report(
      createDiagnostic("DITTO314", {
        ...fill.place,
        arguments: { target: wanted.target.name, name: wanted.strategy },
        suggestion,
        fix: suggestion === undefined ? undefined : replace(fill, suggestion),
        hint: suggestion === undefined ? namesHint("strategies", names) : undefined,
      }),
    );
  }

  #unknownSearch(fill: Name, sibling: string | undefined): void {
    const { targets, resources } = this.#validated;
    const siblings = sibling === undefined ? [] : [...(targets.get(sibling)?.strategies.keys() ?? [])];
    const legal = [...siblings, ...targets.keys()];
    const resource = resources.get(fill.name);
    if (resource !== undefined) {
      const hint = resource.role === "collection" ? `search it with { vector: { collection: ${fill.name} } } or { text: { collection: ${fill.name} } }` : undefined;
      this.#report(createDiagnostic("DITTO302", { ...fill.place, arguments: { name: fill.name, found: resource.role ?? resource.kind, place: "this slot", role: "search" }, hint }));
      return;
    }
    const elsewhere = [...targets.values()].filter((target) => target.strategies.has(fill.name)).map((target) => `${target.name}/${fill.name}`);
    const suggestion = nearestName(fill.name, legal) ?? (elsewhere.length === 1 ? elsewhere[0] : undefined);
    this.#report(
      createDiagnostic("DITTO301", {
        ...fill.place,
        arguments: { role: sibling === undefined ? "target" : "strategy", name: fill.name },
        suggestion,
        fix: suggestion === undefined ? undefined : replace(fill, suggestion),
        hint: suggestion === undefined ? namesHint(sibling === undefined ? "targets" : "searches", legal) : undefined,
      }),
    );
  }

  #resource(fill: Name, slot: SlotShape): string | undefined {
    const { resources, targets } = this.#validated;
    const { role, kinds } = slot.annotation;
    const found = resources.get(fill.name);
    if (found !== undefined) {
      this.used.add(fill.name);
      // A kind that is unknown was reported; what refers to it is not wrong as well.
      if (found.role === undefined || found.registered === undefined) return found.id;
      const fits = found.role === role || (role === "memory-store" && found.role === "collection");
      if (fits && (kinds === undefined || kinds.includes(found.kind))) return found.id;
      const wanted = fits ? (kinds ?? []).join(" or ") : role;
      const is = fits ? found.kind : found.role;
      this.#report(createDiagnostic("DITTO302", { ...fill.place, arguments: { name: fill.name, found: is, place: slot.label, role: wanted }, hint: namesHint(`of role ${role}`, this.#named(slot)) }));
      return undefined;
    }
    if (targets.has(fill.name)) {
      this.#report(createDiagnostic("DITTO302", { ...fill.place, arguments: { name: fill.name, found: "target", place: slot.label, role }, hint: namesHint(`of role ${role}`, this.#named(slot)) }));
      return undefined;
    }
    const legal = this.#named(slot);
    const suggestion = nearestName(fill.name, legal) ?? nearestName(fill.name, resources.keys());
    // What was probably meant is not unused as well.
    if (suggestion !== undefined) this.used.add(suggestion);
    this.#report(
      createDiagnostic("DITTO301", {
        ...fill.place,
        arguments: { role, name: fill.name },
        suggestion,
        fix: suggestion === undefined ? undefined : replace(fill, suggestion),
        hint: suggestion === undefined ? namesHint(`of role ${role}`, legal) : undefined,
      }),
    );
    return undefined;
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

function replace(fill: Name, name: string): { readonly title: string; readonly edits: readonly { readonly span: Name["place"]["span"]; readonly text: string }[] } {
  return { title: `write "${name}"`, edits: [{ span: fill.place.span, text: name }] };
}

function namesHint(what: string, names: readonly string[]): string {
  if (names.length === 0) return `the file declares none ${what.startsWith("of") ? what : `of the ${what}`}`;
  const shown = names.slice(0, 8).join(", ");
  return names.length > 8 ? `there are ${shown} and ${names.length - 8} more` : `there ${names.length === 1 ? "is" : "are"} ${shown}`;
}
