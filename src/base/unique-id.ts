import { randomUUID } from "node:crypto";

const processPart = randomUUID();
let count = 0;

/**
 * Gives a text that is unique in this process and, by its random part, everywhere.
 *
 * It counts, which costs a tenth of drawing a random id each time; it is no secret.
 */
export function uniqueId(): string {
  count += 1;
  return `${processPart}-${count.toString(36)}`;
}
