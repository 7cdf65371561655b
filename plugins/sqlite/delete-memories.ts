import type { MemoryCallOptions, MemoryDeleteOutput } from "@codesoul-co/ditto/plugin";
import { distinctTexts } from "../sql/collection/look-up.ts";
import type { CollectionCore } from "./collection-core.ts";
import { lookUpNow } from "./kept-rows.ts";
import { RowWriter } from "./row-writer.ts";

/** MEMORY.DELETE: the rows with these ids that exist, in one transaction. */
export async function deleteMemories(
  core: CollectionCore,
  request: { readonly ids: readonly string[]; readonly scope: string },
  { signal }: MemoryCallOptions,
): Promise<MemoryDeleteOutput> {
  const ids = distinctTexts(request.ids, "ids");
  if (ids.length === 0 || (await core.state(signal)) === undefined) return { deleted: [] };
  const analyzer = await core.analyzer();
  const gone = await core.database.write(
    (writer) => {
      const rows = lookUpNow(writer, core, request.scope, { column: "id", values: ids });
      if (rows.length === 0) return new Set<string>();
      const rowWriter = new RowWriter(writer, { declaration: core.declaration, analyzer, change: core.begin(writer) });
      for (const row of rows) {
        rowWriter.remove(row);
        rowWriter.forgetHash(row);
      }
      rowWriter.finish();
      return new Set(rows.map(({ id }) => id));
    },
    { signal },
  );
  return { deleted: ids.filter((id) => gone.has(id)) };
}
