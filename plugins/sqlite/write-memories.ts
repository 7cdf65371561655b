import type { MemoryCallOptions, MemoryDraft, MemoryItem } from "@codesoul-co/ditto/plugin";
import { newId } from "../sql/new-id.ts";
import { type PreparedRow, prepareRow, toItem } from "../sql/row.ts";
import { assertParent, scopeOfMetadata } from "../sql/scope.ts";
import type { CollectionCore } from "./collection-core.ts";
import { RowWriter } from "./row-writer.ts";

/** MEMORY.WRITE: new rows, all or none. A key that its scope has already is a conflict. */
export async function writeMemories(core: CollectionCore, drafts: readonly MemoryDraft[], options: MemoryCallOptions): Promise<readonly MemoryItem[]> {
  if (drafts.length === 0) return [];
  const { declaration } = core;
  const rows = drafts.map((draft, index) => prepareDraft(core, draft, `memories[${index}]`));
  await core.state(options.signal);
  const vectors = await core.embed(rows, options);
  const analyzer = await core.analyzer();
  await core.database.write((writer) => {
    const change = core.begin(writer, vectors.find((vector) => vector !== undefined)?.length);
    const rowWriter = new RowWriter(writer, { declaration, analyzer, change });
    for (const [index, row] of rows.entries()) rowWriter.insert(row, vectors[index]);
    rowWriter.finish();
  }, options);
  return rows.map((row) => toItem(declaration, { ...row, record: row.recordId }));
}

function prepareDraft({ declaration }: CollectionCore, draft: MemoryDraft, place: string): PreparedRow {
  const scope = scopeOfMetadata(declaration, draft.metadata, place);
  assertParent(draft.metadata, { place });
  const id = newId();
  return prepareRow(declaration, draft, { id, scope, recordId: id, key: draft.key, place });
}
