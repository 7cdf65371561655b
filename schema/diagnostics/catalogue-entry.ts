/** One code of the catalogue: the source of what is printed, of `ditto explain` and of the reference page. */
export interface CatalogueEntry {
  readonly severity: "error" | "warning";
  /** A few words, as a heading. */
  readonly title: string;
  /** One sentence; `<name>` stands for an argument. Only what the author wrote may be an argument, never a value from outside. */
  readonly sentence: string;
  /** Why it is reported. */
  readonly explanation: string;
  /** What to do about it. */
  readonly wayOut: string;
  /** The smallest text that is reported. */
  readonly wrong: string;
  /** The same, repaired. */
  readonly right: string;
}
