import type { KeyNode, ScalarNode } from "../document.ts";
import type { Cursor } from "./cursor.ts";

/** So many names are compared one by one, which costs less than a set. */
const few = 16;

/** The keys of one mapping as they are read. */
export class KeyNames {
  readonly #names: string[] = [];
  #set: Set<string> | undefined;

  /** Takes a scalar as a key: a text that is new in its mapping. */
  take({ value, span }: ScalarNode, cursor: Cursor): KeyNode {
    if (typeof value !== "string" || value === "__proto__" || this.#has(value)) return cursor.giveUp();
    this.#names.push(value);
    this.#set?.add(value);
    return { text: value, span };
  }

  #has(name: string): boolean {
    if (this.#names.length < few) return this.#names.includes(name);
    this.#set ??= new Set(this.#names);
    return this.#set.has(name);
  }
}
