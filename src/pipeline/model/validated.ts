import type { MappingNode, ScalarNode, SourceFile } from "../../document/document.ts";
import type { Assembled, Named } from "./assembled.ts";
import type { ComponentShape, SlotShape } from "./shape.ts";

/** A pipeline whose form is judged: components are found, sections stand ready to be read. */
export interface Validated {
  readonly assembled: Assembled;
  /** Some plugin did not load, which was reported: kinds, nodes and functions may be missing that are no mistake. */
  readonly partial: boolean;
  readonly resources: ReadonlyMap<string, ComponentShape>;
  readonly targets: ReadonlyMap<string, ValidatedTarget>;
  readonly memory: SectionShape | undefined;
  readonly context: SectionShape | undefined;
  readonly graphs: readonly Named[];
  readonly ingests: readonly Named[];
}

/** A target with its strategies' components. */
export interface ValidatedTarget {
  readonly name: string;
  readonly file: SourceFile;
  /** Where its name is written. */
  readonly named: Named;
  readonly default: ScalarNode | undefined;
  readonly strategies: ReadonlyMap<string, { readonly named: Named; readonly component: ComponentShape | undefined }>;
}

/** `memory` or `context`: the section and the slots in it, by key (`store`, `search`; `rag/search`). */
export interface SectionShape {
  readonly node: MappingNode;
  readonly slots: ReadonlyMap<string, SlotShape>;
}
