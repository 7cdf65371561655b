import type { MemoryStore } from "@codesoul-co/ditto/plugin";
import { scopeOfCall } from "../sql/scope.ts";
import type { CollectionCore } from "./collection-core.ts";
import { deleteMemories } from "./delete-memories.ts";
import { getMemories } from "../sql/collection/get-memories.ts";
import { queryMemories } from "../sql/collection/query-memories.ts";
import { updateMemories } from "./update-memories.ts";
import { writeMemories } from "./write-memories.ts";

/** Makes the memory store of a collection. What goes wrong is still a `CollectionFault`. */
export function memoryStore(core: CollectionCore): MemoryStore {
  const { declaration } = core;
  return {
    get: async (input, options = {}) => await getMemories(core, { ...input, scope: scopeOfCall(declaration, input.filter) }, options),
    query: async (input, options = {}) => await queryMemories(core, input, options),
    write: async (input, options = {}) => await writeMemories(core, input.memories, options),
    update: async (input, options = {}) => await updateMemories(core, { entries: input.memories, scope: scopeOfCall(declaration, input.filter) }, options),
    delete: async (input, options = {}) => await deleteMemories(core, { ids: input.ids, scope: scopeOfCall(declaration, input.filter) }, options),
  };
}
