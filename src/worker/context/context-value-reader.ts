import { isRecord } from "../../base/is-record.ts";
import type { Context, ContextItem, ContextScope, MessageContent, Reference } from "../../contracts/context.ts";
import { ContextError, type ContextErrorCode } from "../../contracts/context-error.ts";
import type { JsonObject } from "../../contracts/json.ts";
import { contentBytes } from "./content-bytes.ts";
import { copyJson } from "./copy-json.ts";

/** Items that this module made: frozen to the leaves, they need neither check nor copy again. */
const ownItems = new WeakSet<object>();

/**
 * Reads values that come from outside into frozen snapshots.
 *
 * One reader stands for one origin: a request, a service's answer, stored state. They differ in the code of their refusals and in
 * whether the inline limit holds. Unknown members are refused, since dropping them would lose data in silence.
 */
export class ContextValueReader {
  readonly #code: ContextErrorCode;
  readonly #maxInlineBytes: number;

  /**
   * @param code The code of every refusal but the inline limit's.
   * @param maxInlineBytes Most UTF-8 bytes of one item's content as JSON; unlimited by default.
   */
  constructor(code: ContextErrorCode, maxInlineBytes: number = Number.POSITIVE_INFINITY) {
    this.#code = code;
    this.#maxInlineBytes = maxInlineBytes;
  }

  context(value: unknown, at: string): Context {
    const { items } = this.object(value, at, ["items"]);
    const read = this.array(items, `${at}.items`).map((item, index) => this.item(item, `${at}.items[${index}]`));
    if (new Set(read.map((item) => item.id)).size !== read.length) throw new ContextError("DUPLICATE_ITEM", `${at}.items has one id twice`);
    return contextOf(read);
  }

  item(value: unknown, at: string): ContextItem {
    const { id, content, source, metadata } = this.object(value, at, ["id", "content", "source", "metadata"]);
    if (ownItems.has(value as object)) return this.#inline(value as ContextItem, at);
    return this.makeItem(
      {
        id: this.text(id, `${at}.id`),
        content: this.content(content, `${at}.content`),
        source: source === undefined ? undefined : this.reference(source, `${at}.source`),
        metadata: this.optionalJsonObject(metadata, `${at}.metadata`),
      },
      at,
    );
  }

  /** Makes an item of parts that this reader has read. */
  makeItem(parts: ContextItem, at: string): ContextItem {
    const { id, content, source, metadata } = parts;
    const item: ContextItem = Object.freeze({
      id,
      content,
      ...(source === undefined ? undefined : { source }),
      ...(metadata === undefined ? undefined : { metadata }),
    });
    ownItems.add(item);
    return this.#inline(item, at);
  }

  reference(value: unknown, at: string): Reference {
    const { uri, title, mediaType, metadata } = this.object(value, at, ["uri", "title", "mediaType", "metadata"]);
    return Object.freeze({
      uri: this.text(uri, `${at}.uri`),
      ...(title === undefined ? undefined : { title: this.string(title, `${at}.title`) }),
      ...(mediaType === undefined ? undefined : { mediaType: this.string(mediaType, `${at}.mediaType`) }),
      ...(metadata === undefined ? undefined : { metadata: this.jsonObject(metadata, `${at}.metadata`) }),
    });
  }

  scope(value: unknown, at: string): ContextScope {
    const members = Object.entries(this.object(value, at, ["sessionId", "turnId", "invocationId"]))
      .filter(([, id]) => id !== undefined)
      .map(([name, id]) => [name, this.text(id, `${at}.${name}`)] as const);
    if (members.length === 0) return this.refuse(`${at} needs sessionId, turnId or invocationId`);
    return Object.freeze(Object.fromEntries(members));
  }

  content(value: unknown, at: string): MessageContent {
    const copy = copyJson(value);
    return copy === undefined ? this.refuse(`${at} must be finite, acyclic JSON`) : copy;
  }

  jsonObject(value: unknown, at: string): JsonObject {
    if (!isRecord(value)) return this.refuse(`${at} must be a plain object`);
    return this.content(value, at) as JsonObject;
  }

  optionalJsonObject(value: unknown, at: string): JsonObject | undefined {
    return value === undefined ? undefined : this.jsonObject(value, at);
  }

  object(value: unknown, at: string, known: readonly string[]): Record<string, unknown> {
    if (!isRecord(value)) return this.refuse(`${at} must be an object`);
    for (const name of Object.keys(value)) if (!known.includes(name)) return this.refuse(`${at} may have ${known.join(", ")} only`);
    return value;
  }

  array(value: unknown, at: string): unknown[] {
    // Array.from turns holes into undefined, which a callback of map would skip.
    return Array.isArray(value) ? Array.from(value) : this.refuse(`${at} must be an array`);
  }

  string(value: unknown, at: string): string {
    return typeof value === "string" ? value : this.refuse(`${at} must be a text`);
  }

  text(value: unknown, at: string): string {
    return typeof value === "string" && value !== "" ? value : this.refuse(`${at} must be a non-empty text`);
  }

  refuse(message: string): never {
    throw new ContextError(this.#code, message);
  }

  #inline(item: ContextItem, at: string): ContextItem {
    if (this.#maxInlineBytes === Number.POSITIVE_INFINITY || contentBytes(item) <= this.#maxInlineBytes) return item;
    throw new ContextError("INLINE_LIMIT_EXCEEDED", `${at}.content has more than ${this.#maxInlineBytes} bytes; give a reference instead`);
  }
}

/** Makes a frozen Context of items that are frozen already. */
export function contextOf(items: readonly ContextItem[]): Context {
  return Object.freeze({ items: Object.freeze([...items]) });
}
