import { invariant } from "../base/invariant.ts";
import type { Opened } from "../plugin/plugin-definition.ts";

/** A live thing in use; released exactly once. */
export interface Lease<T = unknown> {
  readonly opened: Opened<T>;
  /** Whether somebody held it already. */
  readonly carried: boolean;
  /** Ends this use. Resolves when the thing is closed, if this was the last use, else at once. */
  release(): Promise<void>;
}

/** What makes two uses the same resource. */
export interface ResourceKey {
  /** The file that declares it: equal declarations of different files stay apart. */
  readonly owner: string;
  readonly name: string;
  /** Changes with kind, plugin code, resolved configuration and everything in its slots. */
  readonly digest: string;
}

interface Entry {
  readonly opening: Promise<Opened<unknown>>;
  readonly needs: readonly Lease[];
  uses: number;
}

/**
 * Keeps live resources for as long as somebody uses them.
 *
 * Equal keys share one resource, so a reload that changes only a weight carries connections over, and pipelines that
 * include the same file share what it opens. At zero uses a resource closes and then lets go of what it needed itself.
 */
export class ResourcePool {
  readonly #entries = new Map<string, Entry>();
  readonly #closing = new Set<Promise<void>>();

  /**
   * Takes a resource, opening it when nobody holds it yet.
   *
   * @param key What it is.
   * @param options `needs` are leases of the things in its slots: the pool takes them over and gives them back, also
   *   when the resource was open already or fails to open. `open` opens it.
   * @throws What `open` rejects with.
   */
  async lease<T>(key: ResourceKey, options: { readonly needs: readonly Lease[]; readonly open: () => Promise<Opened<T>> }): Promise<Lease<T>> {
    const name = JSON.stringify([key.owner, key.name, key.digest]);
    const known = this.#entries.get(name);
    if (known === undefined) return this.#first(name, options);
    known.uses += 1;
    await releaseAll(options.needs);
    return this.#await(name, known, { carried: true });
  }

  /** Number of open or opening resources. */
  get size(): number {
    return this.#entries.size;
  }

  /** Waits until everything that is being closed is closed. */
  async settled(): Promise<void> {
    while (this.#closing.size > 0) await Promise.allSettled([...this.#closing]);
  }

  async #first<T>(name: string, options: { readonly needs: readonly Lease[]; readonly open: () => Promise<Opened<T>> }): Promise<Lease<T>> {
    const entry: Entry = { opening: Promise.resolve().then(options.open), needs: options.needs, uses: 1 };
    this.#entries.set(name, entry);
    return this.#await(name, entry, { carried: false });
  }

  async #await<T>(name: string, entry: Entry, { carried }: { readonly carried: boolean }): Promise<Lease<T>> {
    try {
      const opened = (await entry.opening) as Opened<T>;
      return { opened, carried, release: once(() => this.#release(name, entry)) };
    } catch (error) {
      await this.#release(name, entry);
      throw error;
    }
  }

  async #release(name: string, entry: Entry): Promise<void> {
    entry.uses -= 1;
    invariant(entry.uses >= 0, "a lease is released once");
    if (entry.uses > 0) return;
    if (this.#entries.get(name) === entry) this.#entries.delete(name);
    const closing = close(entry);
    this.#closing.add(closing);
    try {
      await closing;
    } finally {
      this.#closing.delete(closing);
    }
  }
}

async function close(entry: Entry): Promise<void> {
  const opened = await entry.opening.catch(() => undefined);
  try {
    await opened?.close?.();
  } finally {
    await releaseAll(entry.needs);
  }
}

/** Releases leases in reverse order; all of them, also when one fails to close. */
export async function releaseAll(leases: readonly Lease[]): Promise<void> {
  const errors: unknown[] = [];
  for (const lease of [...leases].reverse()) await lease.release().catch((error: unknown) => errors.push(error));
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, "Several resources failed to close");
}

function once(action: () => Promise<void>): () => Promise<void> {
  let result: Promise<void> | undefined;
  return () => {
    result ??= action();
    return result;
  };
}
