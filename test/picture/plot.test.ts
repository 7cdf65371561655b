import { describe, expect, test } from "vitest";
import { barPlot, linePlot } from "../../src/picture/plot.ts";
import { niceScale } from "../../src/picture/scale.ts";

describe("a scale", () => {
  test.each<[readonly number[], readonly number[]]>([
    [
      [0, 1],
      [0, 0.2, 0.4, 0.6, 0.8, 1],
    ],
    [
      [0.61, 0.79],
      [0.6, 0.65, 0.7, 0.75, 0.8],
    ],
    [
      [5, 5],
      [5, 6],
    ],
    [
      [-3, 12],
      [-5, 0, 5, 10, 15],
    ],
    [[], [0, 0.2, 0.4, 0.6, 0.8, 1]],
  ])("of %j has the marks %j", (values, ticks) => {
    expect(niceScale(values).ticks).toEqual(ticks);
  });
});

describe("a line plot", () => {
  const labels = { title: 'by "weight" <a&b>', xLabel: "weight", yLabel: "nDCG@10" };

  test("draws points in the order of x, with their intervals", () => {
    const image = linePlot({
      ...labels,
      series: [
        {
          name: "kb",
          points: [
            { x: 1, y: 0.5, low: 0.4, high: 0.6 },
            { x: 0, y: 0.25 },
          ],
        },
      ],
    });
    const [, path = ""] = /class="curve" d="([^"]+)"/u.exec(image) ?? [];
    const xs = [...path.matchAll(/[ML]([\d.]+) /gu)].map(([, x]) => Number(x));
    expect(xs).toHaveLength(2);
    expect(xs[0]).toBeLessThan(xs[1] as number);
    expect(image.match(/class="interval"/gu)).toHaveLength(1);
    expect(image).toContain("<title>1: 0.5</title>");
  });

  test("keeps texts from becoming tags", () => {
    const image = linePlot({ ...labels, series: [{ name: "<script>", points: [] }], mark: { x: 0.5, label: "a<b" } });
    expect(image).not.toContain("<script>");
    expect(image).toContain('aria-label="by &quot;weight&quot; &lt;a&amp;b&gt;"');
    expect(image).toContain("a&lt;b");
  });
});

describe("a bar plot", () => {
  test("begins at 0 and leaves a gap for what was not measured", () => {
    const image = barPlot({
      title: "Quality",
      yLabel: "share",
      series: ["vector", "hybrid"],
      groups: [
        { label: "nDCG", values: [{ y: 0.8 }, undefined] },
        { label: "MRR", values: [{ y: 0.4 }, { y: 0.6 }] },
      ],
    });
    const heights = [...image.matchAll(/class="bar"[^>]* height="([\d.]+)"/gu)].map(([, height]) => Number(height));
    expect(heights).toHaveLength(3);
    expect((heights[0] as number) / (heights[1] as number)).toBeCloseTo(2, 1);
  });
});
