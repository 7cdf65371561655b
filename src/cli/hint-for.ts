/** What to do about an error on the command line, where its own message does not say it. */
export function hintFor(code: string): string | undefined {
  return hints[code];
}

const hints: Readonly<Record<string, string>> = {
  RETRIEVAL_TIMEOUT: "raise `timeoutMs` in the file, or `runtime.timeoutMs` in ditto.yaml",
  COLLECTION_MISSING: "ditto setup FILE --apply makes it",
  COLLECTION_MISMATCH: "ditto setup FILE shows what differs",
};
