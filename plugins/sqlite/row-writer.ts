import type { Analyzer } from "../analysis/analyzer.ts";
import { CollectionFault } from "../sql/collection-fault.ts";
import type { Declaration } from "../sql/declaration.ts";
import type { KeptRow } from "../sql/collection/collection-reader.ts";
import { indexedTextOf, type PreparedRow } from "../sql/row.ts";
import type { SqlValue } from "../sql/sql.ts";
import { statement } from "./collection-tables.ts";
import { quoteName } from "./sqlite-dialect.ts";
import type { Writer } from "./sqlite-executor.ts";
import { collectionsTable, type PartNames, partNames } from "./table-names.ts";
import { toBytes } from "../sql/vectors/cosine.ts";

/** Writes rows with all that belongs to them: fields, content, text index, vector. Lives as long as one transaction. */
export class RowWriter {
  readonly #writer: Writer;
  readonly #analyzer: Analyzer;
  readonly #change: number;
  readonly #table: string;
  readonly #names: PartNames;
  readonly #fieldColumns: readonly string[];
  #gone = 0;

  constructor(writer: Writer, given: { readonly declaration: Declaration; readonly analyzer: Analyzer; readonly change: number }) {
    this.#writer = writer;
    this.#analyzer = given.analyzer;
    this.#change = given.change;
    this.#table = given.declaration.table;
    this.#names = partNames(this.#table);
    this.#fieldColumns = given.declaration.fields.map(({ column }) => quoteName(column));
  }

  /** @throws CollectionFault `conflict` When its scope has the key already. */
  insert(row: PreparedRow, vector: Float32Array | undefined): void {
    this.#assertKeyFree(row, noRow);
    const columns = ["scope", "id", "record", "key", "hash", ...this.#fieldColumns];
    const values: SqlValue[] = [row.scope, row.id, row.recordId, row.key, row.hash, ...row.columns];
    const number = this.#run(`INSERT INTO ${this.#names.rows} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`, ...values);
    this.#run(`INSERT INTO ${this.#names.contents} (row, content, metadata, text) VALUES (?, ?, ?, ?)`, number, row.content, row.metadata, row.ownText);
    this.#index(number, row.text);
    if (vector !== undefined) this.#setVector(number, vector);
  }

  /**
   * Writes a row anew.
   *
   * @param vector Its new vector, or undefined for none. Left as it is where the text did not change.
   * @throws CollectionFault `conflict` When another row of its scope has the key.
   */
  update(kept: KeptRow, row: PreparedRow, vector: Float32Array | undefined): void {
    if (row.key !== kept.key) this.#assertKeyFree(row, kept.row);
    const fields = ["record", "key", "hash", ...this.#fieldColumns].map((column) => `${column} = ?`).join(", ");
    this.#run(`UPDATE ${this.#names.rows} SET ${fields} WHERE row = ?`, row.recordId, row.key, row.hash, ...row.columns, kept.row);
    const own = [row.content, row.metadata, row.ownText] as const;
    this.#run(`UPDATE ${this.#names.contents} SET content = ?, metadata = ?, text = ? WHERE row = ?`, ...own, kept.row);
    const before = indexedTextOf(kept);
    if (before !== row.text) {
      this.#unindex(kept.row, before);
      this.#index(kept.row, row.text);
      if (vector === undefined) this.#dropVector(kept.row);
    }
    if (vector !== undefined) this.#setVector(kept.row, vector);
  }

  remove(kept: KeptRow): void {
    this.#unindex(kept.row, indexedTextOf(kept));
    this.#dropVector(kept.row);
    this.#run(`DELETE FROM ${this.#names.contents} WHERE row = ?`, kept.row);
    this.#run(`DELETE FROM ${this.#names.rows} WHERE row = ?`, kept.row);
  }

  /** Makes the records of these rows unlike what ingest knows, so that it writes them again. */
  forgetHash(kept: { readonly scope: string; readonly record: string }): void {
    this.#run(`UPDATE ${this.#names.rows} SET hash = NULL WHERE scope = ? AND record = ? AND hash IS NOT NULL`, kept.scope, kept.record);
  }

  /** Ends the transaction's work: marks of vectors that are gone are swept out when there are many. */
  finish(): void {
    if (this.#gone === 0) return;
    const [state] = this.#writer.all(statement(`UPDATE ${collectionsTable} SET gone = gone + ? WHERE name = ? RETURNING gone`, this.#gone, this.#table));
    if (Number(state?.gone) < mostGone) return;
    this.#run(`DELETE FROM ${this.#names.vectors} WHERE vector IS NULL`);
    this.#run(`UPDATE ${collectionsTable} SET gone = 0, compacted = ? WHERE name = ?`, this.#change, this.#table);
  }

  #assertKeyFree({ scope, key, place }: PreparedRow, self: number): void {
    if (key === null) return;
    const others = statement(`SELECT 1 FROM ${this.#names.rows} WHERE scope = ? AND key = ? AND row <> ?`, scope, key, self);
    if (this.#writer.all(others).length > 0) throw new CollectionFault("conflict", `The key of ${place} is in use already`);
  }

  #index(row: number, text: string): void {
    const tokens = this.#analyzer.index(text);
    if (tokens.length > 0) this.#run(`INSERT INTO ${this.#names.text} (rowid, tokens) VALUES (?, ?)`, row, tokens.join(" "));
  }

  /** The index keeps no texts, so it must be told what to forget: exactly the tokens that it was given. */
  #unindex(row: number, text: string): void {
    const { text: index } = this.#names;
    const tokens = this.#analyzer.index(text);
    if (tokens.length > 0) this.#run(`INSERT INTO ${index} (${index}, rowid, tokens) VALUES ('delete', ?, ?)`, row, tokens.join(" "));
  }

  #setVector(row: number, vector: Float32Array): void {
    this.#run(`INSERT OR REPLACE INTO ${this.#names.vectors} (row, change, vector) VALUES (?, ?, ?)`, row, this.#change, toBytes(vector));
  }

  /** Leaves a mark, from which indexes in memory learn that the vector is gone. */
  #dropVector(row: number): void {
    const { vectors } = this.#names;
    const marked = this.#writer.all(
      statement(`UPDATE ${vectors} SET vector = NULL, change = ? WHERE row = ? AND vector IS NOT NULL RETURNING row`, this.#change, row),
    );
    this.#gone += marked.length;
  }

  #run(text: string, ...parameters: readonly SqlValue[]): number {
    return this.#writer.run(statement(text, ...parameters));
  }
}

/** Rows are counted from 1. */
const noRow = 0;

/** With so many marks, reading all vectors anew is cheaper than keeping them. */
const mostGone = 10_000;
