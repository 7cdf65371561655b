import { isRecord } from "../../base/is-record.ts";
import { RetrievalError } from "../../contracts/retrieval-error.ts";
import { excerpt } from "./http-excerpt.ts";
import { vectorProblem } from "./validate-vector.ts";

/**
 * Reads the vectors out of an answer of the OpenAI embedding protocol.
 *
 * @param body The answer's text.
 * @param expected How many inputs were sent, and the key, which must not show in a message.
 * @returns One vector for each input, placed by `data[].index`.
 * @throws RetrievalError `RETRIEVAL_INVALID_BACKEND_OUTPUT` for what is no such answer, `RETRIEVAL_BACKEND_ERROR` for an error that
 *   was sent as a success, `RETRIEVAL_INVALID_EMBEDDING` naming the input whose vector is missing, double or wrong.
 */
export function readEmbeddings(body: string, expected: { readonly count: number; readonly secret: string | undefined }): readonly (readonly number[])[] {
  const { count, secret } = expected;
  const answer = parse(body);
  if (!isRecord(answer) || !Array.isArray(answer.data)) {
    if (isRecord(answer) && answer.error !== undefined && answer.error !== null) {
      throw new RetrievalError("RETRIEVAL_BACKEND_ERROR", `The embedding endpoint answered with an error${excerpt(body, secret)}`);
    }
    throw new RetrievalError("RETRIEVAL_INVALID_BACKEND_OUTPUT", `The embedding endpoint's answer has no data${excerpt(body, secret)}`);
  }
  const vectors = placeByIndex(answer.data, count);
  const dimensions = vectors[0]?.length;
  for (const [index, vector] of vectors.entries()) {
    const problem = vectorProblem(vector, dimensions);
    if (problem !== undefined) throw invalidEmbedding(`The vector of input ${index} ${problem}`);
  }
  return vectors;
}

function placeByIndex(data: readonly unknown[], count: number): (readonly number[])[] {
  const vectors = new Array<readonly number[] | undefined>(count).fill(undefined);
  for (const [position, entry] of data.entries()) {
    const index = isRecord(entry) ? entry.index : undefined;
    if (!isRecord(entry) || !Number.isInteger(index)) throw invalidEmbedding(`data[${position}] has no index`);
    if ((index as number) < 0 || (index as number) >= count) throw invalidEmbedding(`data[${position}] belongs to input ${index}, and there are ${count}`);
    if (vectors[index as number] !== undefined) throw invalidEmbedding(`Input ${index} has two vectors`);
    if (!Array.isArray(entry.embedding)) throw invalidEmbedding(`The vector of input ${index} is no list of numbers`);
    vectors[index as number] = entry.embedding;
  }
  const missing = vectors.indexOf(undefined);
  if (missing !== -1) throw invalidEmbedding(`Input ${missing} has no vector`);
  return vectors as (readonly number[])[];
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function invalidEmbedding(message: string): RetrievalError {
  return new RetrievalError("RETRIEVAL_INVALID_EMBEDDING", message);
}
