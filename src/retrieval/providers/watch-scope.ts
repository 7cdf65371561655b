import type { RetrievalSearchInput } from "../../contracts/retrieval.ts";
import { RetrievalError } from "../../contracts/retrieval-error.ts";

/**
 * Watches whether an application's mapper looks at the parts of a request that narrow it.
 *
 * A mapper that never reads a filter or namespace cannot have applied or refused it, and its results would be those of another
 * scope. Reading is all that can be seen; what the mapper does with it is its own.
 *
 * @param input The request.
 * @returns The request to hand to the mapper, and a check for afterwards.
 */
export function watchScope(input: RetrievalSearchInput): { readonly input: RetrievalSearchInput; readonly assertRead: () => void } {
  const { filter } = input;
  const { namespace } = input.target;
  const unread = new Set<string>();
  const watched: RetrievalSearchInput = { ...input, target: { ...input.target } };
  const watch = (owner: object, name: string, value: unknown): void => {
    if (value === undefined) return;
    unread.add(name);
    Object.defineProperty(owner, name, {
      enumerable: true,
      get: () => {
        unread.delete(name);
        return value;
      },
    });
  };
  watch(watched, "filter", filter);
  watch(watched.target, "namespace", namespace);
  return {
    input: watched,
    assertRead: () => {
      if (unread.size === 0) return;
      throw new RetrievalError("RETRIEVAL_INVALID_INPUT", `This search does not handle a ${[...unread].join(" or a ")}`);
    },
  };
}
