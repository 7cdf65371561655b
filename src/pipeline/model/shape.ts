import type { JsonValue } from "../../contracts/json.ts";
import type { JsonSchema, PlaceAnnotation, RoleName, SlotAnnotation } from "../../contracts/json-schema.ts";
import type { DocumentNode, ScalarNode, SourceFile } from "../../document/document.ts";
import type { RegisteredKind } from "../../plugin/kind-registry.ts";
import type { Place } from "./place.ts";

/** A component as it is written: its kind is found, its configuration taken apart, its names not yet followed. */
export interface ComponentShape {
  readonly id: string;
  readonly name: string;
  /** The role of its kind; where the kind is unknown, the role that its slot asks for, if that is one. */
  readonly role: RoleName | undefined;
  readonly kind: string;
  readonly registered: RegisteredKind | undefined;
  /** Whether its configuration meets its kind's schema, as far as it is known yet. */
  readonly sound: boolean;
  readonly file: SourceFile;
  /** Where the kind is written. */
  readonly place: Place;
  /** The configuration as it is written. */
  readonly node: DocumentNode;
  /** The configuration; slots, places and values that are not yet known are `null`. */
  readonly configuration: JsonValue;
  readonly slots: readonly SlotShape[];
  readonly places: readonly PlaceShape[];
  readonly holes: readonly HoleShape[];
  /** A search: the target whose strategies are its siblings. */
  readonly target: { readonly name: string; readonly strategy: string } | undefined;
}

/** A slot in use. */
export interface SlotShape {
  readonly pointer: string;
  readonly annotation: SlotAnnotation;
  /** How a diagnostic names it. */
  readonly label: string;
  readonly fill: SlotFill;
}

/** What stands in a slot. */
export type SlotFill =
  | {
      readonly kind: "name";
      readonly name: string;
      readonly place: Place;
      /** What is written; absent where the slot is left out and means its key. */
      readonly node?: ScalarNode | undefined;
    }
  | { readonly kind: "component"; readonly component: ComponentShape };

/** An expression place in use. */
export interface PlaceShape {
  readonly pointer: string;
  readonly annotation: PlaceAnnotation;
  readonly schema: JsonSchema;
  readonly label: string;
  readonly node: DocumentNode;
}

/** A scalar whose value comes from outside or from `vars`. */
export interface HoleShape {
  readonly pointer: string;
  readonly schema: JsonSchema | undefined;
  readonly label: string;
  readonly node: ScalarNode;
}
