import type { JsonValue } from "../../contracts/json.ts";
import type { SourceFile } from "../../document/document.ts";
import type { OutsideValue, PlanMemorySearch, PlanTarget } from "./plan.ts";
import type { ComponentShape } from "./shape.ts";
import type { Validated } from "./validated.ts";

/** A pipeline whose names are followed and whose outside values are read. */
export interface Resolved {
  readonly validated: Validated;
  /** By file, since what is included sees its own file's `vars`. */
  readonly vars: ReadonlyMap<SourceFile, Readonly<Record<string, JsonValue>>>;
  /** Each after everything in its slots; what is in a circle comes last. */
  readonly components: readonly ResolvedComponent[];
  readonly resources: Readonly<Record<string, string>>;
  readonly targets: Readonly<Record<string, PlanTarget>>;
  readonly memory: { readonly store: string | undefined; readonly search: PlanMemorySearch | undefined } | undefined;
  readonly context: { readonly store: string | undefined; readonly ragSearch: PlanMemorySearch | undefined } | undefined;
  /** Names of resources that something uses. */
  readonly used: ReadonlySet<string>;
}

/** A component with its slots followed. */
export interface ResolvedComponent {
  readonly shape: ComponentShape;
  readonly configuration: JsonValue;
  readonly slots: ReadonlyMap<string, string>;
  readonly outside: ReadonlyMap<string, OutsideValue>;
  /** Pointers of the scalars that could not be resolved, which was reported. */
  readonly unresolved: ReadonlySet<string>;
  readonly folder: string;
  /** The application gives this one: it is not opened here, and its values from outside are not read. */
  readonly injected: boolean;
}
