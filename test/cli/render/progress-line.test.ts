import { expect, it } from "vitest";
import { ProgressLine, progressText, shortTime } from "../../../src/cli/render/progress-line.ts";

it("shows share, count, rate and the time that is left", () => {
  expect(progressText({ label: "articles", done: 74, total: 177, unit: "records" }, 5000)).toBe(
    "articles [████████            ]  41 %  74 of 177 records · 15/s · 7.0 s left",
  );
  expect(progressText({ label: "articles", done: 20, total: undefined, unit: "records" }, 5000)).toBe("articles  20 records · 4.0/s");
  expect(progressText({ label: "a", done: 20, total: undefined, unit: "records", share: 0.5 }, 5000)).toBe(
    "a [██████████          ]  50 %  20 records · 4.0/s · 5.0 s left",
  );
  expect(progressText({ label: "a", done: 0, total: 0, unit: "records" }, 10)).toBe("a  0 of 0 records");
});

it("writes nothing where there is no terminal, and takes its line away where there is one", () => {
  const written: string[] = [];
  const output = { write: (text: string) => void written.push(text), columns: 80, color: false };
  const state = { label: "a", done: 1, total: 2, unit: "records" };
  const silent = new ProgressLine({ ...output, isTerminal: false });
  silent.show(state);
  silent.clear();
  expect(written).toEqual([]);
  const line = new ProgressLine({ ...output, isTerminal: true });
  line.show(state);
  line.clear();
  expect(written).toHaveLength(2);
  expect(written[1]).toBe("\r\u001b[K");
});

it.each([
  [38.2, "38 ms"],
  [5200, "5.2 s"],
  [59_400, "59 s"],
  [200_000, "3 min 20 s"],
  [7_500_000, "2 h 5 min"],
])("says %d ms as %s", (ms, text) => {
  expect(shortTime(ms)).toBe(text);
});
