import { kernelCode } from "./kernel-code.ts";

/** The types of Node leave WebAssembly to those of browsers. This is what is used of it. */
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

/** A memory that grows in pages of 64 KiB. */
interface KernelMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The kernel in a memory of its own. Addresses are bytes from the memory's start. */
export interface Kernel {
  readonly memory: KernelMemory;
  /** The first address that is free. */
  readonly start: number;
  /** Turns one vector into codes with their scale and their error. */
  readonly encode: (vector: number, stride: number, codes: number, scale: number, error: number) => void;
  /** Multiplies `count` vectors of codes with a query of 16-bit numbers, each of which is worth `unit`. */
  readonly scan: (codes: number, query: number, scales: number, results: number, count: number, stride: number, unit: number) => void;
}

/** Starts a kernel; a fresh one has no vectors, and its memory goes when nobody holds it any more. */
export function startKernel(): Kernel {
  compiled ??= new WebAssembly.Module(Buffer.from(kernelCode, "base64"));
  const exports = new WebAssembly.Instance(compiled).exports as KernelExports;
  return { memory: exports.memory, start: exports.__heap_base.value, encode: exports.encode, scan: exports.scan };
}

interface KernelExports {
  readonly memory: KernelMemory;
  readonly __heap_base: { readonly value: number };
  readonly encode: Kernel["encode"];
  readonly scan: Kernel["scan"];
}

let compiled: object | undefined;
