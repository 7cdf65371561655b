import type { Embedding, Evaluate, FieldDefinition } from "@codesoul-co/ditto/plugin";

/** The configuration of a collection, as its kind's `open` gets it: the same for every SQL engine. */
export interface CollectionConfiguration<Database> {
  readonly database: Database;
  readonly table?: string | undefined;
  readonly embedding?: Embedding | undefined;
  readonly namespace?: string | undefined;
  readonly fields?: Readonly<Record<string, FieldDefinition>> | undefined;
  readonly text?: Evaluate<string> | undefined;
  readonly language?: string | undefined;
}

/** The same before slots and places are filled, as `describe` gets it. */
export type WrittenCollection = Omit<CollectionConfiguration<unknown>, "text" | "embedding">;
