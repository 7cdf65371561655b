import type { DocumentNode, KeyNode, MappingNode, ScalarNode, SourceFile } from "../../document/document.ts";

/** A named thing with the file that declares it. */
export interface Named {
  readonly name: string;
  readonly key: KeyNode;
  readonly node: DocumentNode;
  readonly file: SourceFile;
}

/** A target before it is resolved. */
export interface AssembledTarget extends Named {
  readonly default: ScalarNode | undefined;
  readonly strategies: readonly Named[];
}

/** A pipeline file with what it includes and the chosen profile, as one; every node still knows its place. */
export interface Assembled {
  readonly main: SourceFile;
  readonly root: MappingNode;
  /** Absolute folder of each file, by file: relative paths start there. */
  readonly folders: ReadonlyMap<SourceFile, string>;
  readonly resources: readonly Named[];
  readonly targets: readonly AssembledTarget[];
  /** `vars` of each file, the profile's merged in for the main one. */
  readonly vars: ReadonlyMap<SourceFile, readonly Named[]>;
  readonly profile: string | undefined;
  /** Names of the profiles that any of the files declares. */
  readonly profiles: readonly string[];
  /** Sections that could not be read as a whole, which was reported: a name that is not in them may still be no mistake. */
  readonly incomplete: ReadonlySet<"resources" | "targets">;
}
