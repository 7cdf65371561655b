import type { InspectorAnswer } from "../inspector-data.ts";
import { element, fill, shortMs } from "./element.ts";

/** Shows the steps of a request with their times, each bar where it lies in the whole. */
export function showTrace({ trace }: InspectorAnswer): void {
  const whole = Math.max(...trace.map(({ startMs, elapsedMs = 0 }) => startMs + elapsedMs), 0.001);
  const rows = trace.map(({ depth, kind, label, startMs, elapsedMs = 0, code, told }) => {
    const bar = element("span.span");
    bar.style.marginLeft = `${(100 * startMs) / whole}%`;
    bar.style.width = `${Math.max(0.5, (100 * elapsedMs) / whole)}%`;
    const name = element("span.name", { title: told }, `${kind} ${label}`, code === undefined ? undefined : element("em", {}, ` ${code}`));
    name.style.paddingLeft = `${depth * 10}px`;
    return element("li", {}, name, element("span.ms", {}, shortMs(elapsedMs)), element("span.lane", { "aria-hidden": "true" }, bar));
  });
  fill("trace", element("h2", {}, "Steps"), element("ol.trace", {}, rows));
}
