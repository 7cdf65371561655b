import { expect, it } from "vitest";
import { traceTree } from "../../../src/cli/render/trace-tree.ts";
import { TraceRecorder } from "../../../src/explain/trace-recorder.ts";

it("writes steps as a tree with times, facts and codes, never an error's text", () => {
  const recorder = new TraceRecorder({ brief: true });
  const search = recorder.root.open("search", "kb/hybrid", { limit: 5 });
  const branch = search.open("branch", "vector");
  branch.add({ candidates: 5, hits: [{ id: "a" }] });
  branch.open("embed", "query").close();
  branch.close(Object.assign(new Error("postgres://user:secret@host"), { code: "RETRIEVAL_TIMEOUT" }));
  search.open("branch", "keyword");
  search.close();
  const lines = traceTree(recorder.steps, { paint: (_, text) => text, columns: 100 })
    .split("\n")
    .map((line) => line.replace(/^ *\d+\.\d ms/u, "N ms"));
  expect(lines).toEqual([
    "N ms  search kb/hybrid  limit=5",
    "N ms  ├ branch vector  RETRIEVAL_TIMEOUT  candidates=5",
    "N ms  │ └ embed query",
    " not ended  └ branch keyword",
    "",
  ]);
});
