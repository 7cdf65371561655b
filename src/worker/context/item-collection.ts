import type { Context, ContextItem } from "../../contracts/context.ts";
import { ContextError } from "../../contracts/context-error.ts";
import { contextOf } from "./context-value-reader.ts";
import type { ResolvedContextPolicy } from "./resolve-context-policy.ts";

/** Items by id, in order, under the policy's rules. A replaced item keeps its place. */
export class ItemCollection {
  readonly #items = new Map<string, ContextItem>();
  readonly #policy: ResolvedContextPolicy;

  constructor(policy: ResolvedContextPolicy, items: readonly ContextItem[] = []) {
    this.#policy = policy;
    for (const item of items) this.#items.set(item.id, item);
  }

  /** @throws ContextError `DUPLICATE_ITEM` where the policy rejects a second item with one id. */
  add(item: ContextItem): void {
    if (this.#items.has(item.id)) {
      if (this.#policy.duplicate === "reject") throw new ContextError("DUPLICATE_ITEM", "An item with this id is there already");
      if (this.#policy.duplicate === "keep-first") return;
    }
    this.#items.set(item.id, item);
  }

  /** @throws ContextError `MISSING_ITEM` where the policy rejects the removal of an item that is not there. */
  remove(id: string): void {
    const removed = this.#items.delete(id);
    if (!removed && this.#policy.missingRemoval === "reject") throw new ContextError("MISSING_ITEM", "An item to be removed is not there");
  }

  /** @throws ContextError `ITEM_LIMIT_EXCEEDED` for more items than the policy allows. */
  toContext(): Context {
    const { maxItems } = this.#policy;
    if (this.#items.size > maxItems) throw new ContextError("ITEM_LIMIT_EXCEEDED", `A Context may have ${maxItems} items at most`);
    return contextOf([...this.#items.values()]);
  }
}
