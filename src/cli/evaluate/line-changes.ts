import type { Paint } from "../render/paint.ts";

/**
 * Shows what changes from one text to another as a patch that `patch` and `git apply` take, without lines around it.
 *
 * @param path What the file is called.
 */
export function lineChanges(before: string, after: string, { path, paint }: { readonly path: string; readonly paint: Paint }): string {
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  let head = 0;
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < fresh.length - head && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail += 1;
  const removed = old.slice(head, old.length - tail);
  const added = fresh.slice(head, fresh.length - tail);
  const at = (start: number, count: number): string => `${count === 0 ? start : start + 1},${count}`;
  return [
    `--- a/${path}`,
    `+++ b/${path}`,
    `@@ -${at(head, removed.length)} +${at(head, added.length)} @@`,
    ...removed.map((line) => paint("red", `-${line}`)),
    ...added.map((line) => paint("green", `+${line}`)),
    "",
  ].join("\n");
}
