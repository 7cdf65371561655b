import type { NodeContract } from "../../src/contracts/node-contract-map.ts";
import type { NodeResult } from "../../src/contracts/node-result.ts";

declare module "../../src/contracts/node-contract-map.ts" {
  interface NodeContractMap {
    "TEST.ECHO": NodeContract<unknown, unknown>;
    "TEST.LENGTH": NodeContract<string, number>;
    "TEST.DOUBLE": NodeContract<number, number>;
    "TEST.JUDGED": NodeContract<string, NodeResult<number>>;
    "TEST.HIDDEN": NodeContract<number, number>;
    "TEST.WHO": NodeContract<null, string>;
  }
}

/** A promise and what settles it. */
export interface Deferred<T = void> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

/** A promise that the test settles itself. */
export function deferred<T = void>(): Deferred<T> {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

/** Lets everything run that is ready to run. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
