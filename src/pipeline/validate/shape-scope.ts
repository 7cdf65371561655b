import type { RoleName } from "../../contracts/json-schema.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { KeyNode, SourceFile } from "../../document/document.ts";
import type { KindRegistry } from "../../plugin/kind-registry.ts";
import type { KeysAbove } from "../../validation/node-walk.ts";
import type { SlotFill } from "../model/shape.ts";

/** What surrounds a component that is being read. */
export interface ShapeScope {
  readonly registry: KindRegistry;
  readonly file: SourceFile;
  readonly report: (diagnostic: Diagnostic) => void;
  /** Kinds of plugins that come with the package but are not named in `ditto.yaml`, by kind. */
  readonly unnamedPlugins: ReadonlyMap<string, string>;
  /** Plugins that did not load, which was reported: their kinds are unknown without being wrong. */
  readonly failedPlugins: readonly string[];
  /** A search's target. */
  readonly target: { readonly name: string; readonly strategy: string } | undefined;
}

/** What is known about the place where a component stands. */
export interface ComponentPlace {
  readonly id: string;
  readonly name: string;
  /** The roles that fit, the likeliest first. */
  readonly roles: readonly RoleName[];
  /** Only these kinds. */
  readonly kinds?: readonly string[] | undefined;
  readonly label: string;
  /** The key that leads here. */
  readonly key?: KeyNode | undefined;
  /** It stands under a name of the author's, not under a key of the language. */
  readonly named?: true;
  /** The mapping above, to say of a key that it belongs there. */
  readonly above?: KeysAbove | undefined;
  /** In a chain: the step before, which is this one's search. */
  readonly before?: SlotFill | undefined;
}
