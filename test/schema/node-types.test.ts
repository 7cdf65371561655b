import { describe, expectTypeOf, test } from "vitest";
import type * as schema from "../../schema/generated/node-types.ts";
import type * as context from "../../src/contracts/context.ts";
import type * as memory from "../../src/contracts/memory.ts";
import type * as retrieval from "../../src/contracts/retrieval.ts";

/** A type whose optional members also take `undefined`, as types written from schemas have them. */
type Loose<T> = T extends readonly (infer Item)[]
  ? readonly Loose<Item>[]
  : T extends object
    ? { [K in keyof T]: Record<never, never> extends Pick<T, K> ? Loose<T[K]> | undefined : Loose<T[K]> }
    : T;

/** `true` where each of two types takes the other's values. */
type Mutual<A, B> = [A] extends [Loose<B>]
  ? [Loose<B>] extends [A]
    ? true
    : "the schema takes less than the contract"
  : "the contract takes less than the schema";

describe("types written by hand and types of the schemas take the same values", () => {
  test("MEMORY", () => {
    expectTypeOf<Mutual<schema.MemoryGetInput, memory.MemoryGetInput>>().toEqualTypeOf<true>();
    expectTypeOf<Mutual<schema.MemoryGetOutput, memory.MemoryGetOutput>>().toEqualTypeOf<true>();
    expectTypeOf<Mutual<schema.MemoryQueryInput, memory.MemoryQueryInput>>().toEqualTypeOf<true>();
    expectTypeOf<Mutual<schema.MemoryQueryOutput, memory.MemoryQueryOutput>>().toEqualTypeOf<true>();
    expectTypeOf<Mutual<schema.MemorySearchInput, memory.MemorySearchInput>>().toEqualTypeOf<true>();
    expectTypeOf<Mutual<schema.MemorySearchOutput, memory.MemorySearchOutput>>().toEqualTypeOf<true>();
    expectTypeOf<Mutual<schema.MemoryWriteInput, memory.MemoryWriteInput>>().toEqualTypeOf<true>();
    expectTypeOf<Mutual<schema.MemoryWriteOutput, memory.MemoryWriteOutput>>().toEqualTypeOf<true>();
    expectTypeOf<Mutual<schema.MemoryUpdateInput, memory.MemoryUpdateInput>>().toEqualTypeOf<true>();
    expectTypeOf<Mutual<schema.MemoryUpdateOutput, memory.MemoryUpdateOutput>>().toEqualTypeOf<true>();
    expectTypeOf<Mutual<schema.MemoryDeleteInput, memory.MemoryDeleteInput>>().toEqualTypeOf<true>();
    expectTypeOf<Mutual<schema.MemoryDeleteOutput, memory.MemoryDeleteOutput>>().toEqualTypeOf<true>();
  });

  test("RETRIEVAL", () => {
    expectTypeOf<Mutual<schema.RetrievalSearchInput, retrieval.RetrievalSearchInput>>().toEqualTypeOf<true>();
    expectTypeOf<Mutual<schema.RetrievalSearchOutput, retrieval.RetrievalSearchOutput>>().toEqualTypeOf<true>();
  });

  test("CONTEXT", () => {
    expectTypeOf<context.ContextLoadInput>().toExtend<schema.ContextLoadInput>();
    expectTypeOf<schema.ContextLoadInput>().toExtend<context.ContextLoadInput>();
    expectTypeOf<context.ContextUpdateInput>().toExtend<schema.ContextUpdateInput>();
    expectTypeOf<schema.ContextUpdateInput>().toExtend<context.ContextUpdateInput>();
    expectTypeOf<context.ContextSelectInput>().toExtend<schema.ContextSelectInput>();
    expectTypeOf<schema.ContextSelectInput>().toExtend<context.ContextSelectInput>();
    expectTypeOf<context.ContextCompressInput>().toExtend<schema.ContextCompressInput>();
    expectTypeOf<schema.ContextCompressInput>().toExtend<context.ContextCompressInput>();
    expectTypeOf<context.Context>().toExtend<schema.ContextLoadOutput>();
    expectTypeOf<context.Context>().toExtend<schema.ContextCompressOutput>();
    expectTypeOf<context.Context>().toExtend<schema.ContextUpdateOutput>();
    expectTypeOf<schema.ContextUpdateOutput>().toExtend<context.Context>();
    expectTypeOf<context.ContextSelection>().toExtend<schema.ContextSelectOutput>();
    expectTypeOf<schema.ContextSelectOutput>().toExtend<context.ContextSelection>();
  });
});
