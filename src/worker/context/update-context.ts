import type { Context } from "../../contracts/context.ts";
import type { ContextRun } from "./context-run.ts";
import { changeContext } from "./context-state.ts";
import { ItemCollection } from "./item-collection.ts";
import { readUpdateInput } from "./read-context-input.ts";

/** Runs `CONTEXT.UPDATE`: removes, then adds, then takes in what came from nodes. Only the result has to meet the cap. */
export async function updateContext(value: unknown, run: ContextRun): Promise<Context> {
  const { location, removeIds, add, ingress } = readUpdateInput(value, run.request);
  return changeContext(location, run, async (context) => {
    const collection = new ItemCollection(run.policy, context.items);
    for (const id of new Set(removeIds)) collection.remove(id);
    for (const item of [...add, ...ingress]) collection.add(item);
    return collection.toContext();
  });
}
