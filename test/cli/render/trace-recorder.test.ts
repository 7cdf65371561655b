import { expect, it } from "vitest";
import { TraceRecorder } from "../../../src/cli/render/trace-recorder.ts";

it("writes steps as a tree with times, facts and codes, never an error's text", () => {
  const recorder = new TraceRecorder();
  const search = recorder.root.open("search", "kb/hybrid", { limit: 5 });
  const branch = search.open("branch", "vector");
  branch.add({ candidates: 5 });
  branch.close(Object.assign(new Error("postgres://user:secret@host"), { code: "RETRIEVAL_TIMEOUT" }));
  search.open("branch", "keyword");
  search.close();
  const lines = recorder
    .text((_, text) => text)
    .split("\n")
    .map((line) => line.replace(/^ *\d+\.\d ms/u, "N ms"));
  expect(lines).toEqual(["N ms  search kb/hybrid  limit=5", "N ms    branch vector  RETRIEVAL_TIMEOUT  candidates=5", " not ended    branch keyword", ""]);
});
