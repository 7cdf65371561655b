/**
 * The cosine of two vectors, between -1 and 1.
 *
 * @param query A vector of length 1.
 * @param vector A vector as it is kept, not of length 0.
 */
export function cosine(query: Float64Array, vector: Float32Array): number {
  let product = 0;
  let squares = 0;
  for (let index = 0; index < query.length; index += 1) {
    const component = vector[index] ?? 0;
    product += (query[index] ?? 0) * component;
    squares += component * component;
  }
  return Math.max(-1, Math.min(1, product / Math.sqrt(squares)));
}

/** The vector of length 1 that points the same way; the given one is not of length 0. */
export function toUnit(vector: Float32Array): Float64Array {
  let squares = 0;
  for (const component of vector) squares += component * component;
  const length = Math.sqrt(squares);
  return Float64Array.from(vector, (component) => component / length);
}

/** A kept vector, from its bytes. */
export function fromBytes(bytes: Uint8Array): Float32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
  return new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}

/** A vector as it is kept: single precision, lowest byte first, as every machine that Node runs on has it. */
export function toBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}
