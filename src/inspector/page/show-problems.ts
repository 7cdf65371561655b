import type { PipelineState, Problem } from "../inspector-data.ts";
import { element, fill } from "./element.ts";

/** Shows what is wrong or doubtful in a file, each at its place. */
export function showProblems({ problems, error, generation }: PipelineState): void {
  if (problems.length === 0 && error === undefined) {
    fill("problems");
    return;
  }
  const wrong = problems.some(({ severity }) => severity === "error") || error !== undefined;
  const serving = generation === undefined ? "Nothing serves." : `Generation ${generation.number} goes on serving.`;
  fill(
    "problems",
    element("h2", {}, wrong ? "The file cannot serve" : "Warnings"),
    wrong ? element("p.note", {}, problems.length === 0 ? `${error?.code}: ${error?.message}. ${serving}` : serving) : undefined,
    element("ul.problems", {}, problems.map(problemItem)),
  );
}

function problemItem({ code, severity, message, file, line, column, help, frame }: Problem): HTMLElement {
  const number = String(frame?.lineNumber ?? "");
  const marks = frame === undefined ? "" : `\n${" ".repeat(number.length)} | ${frame.marks}`;
  return element(
    `li.${severity}`,
    {},
    element("p", {}, element("code.place", {}, `${file}:${line}:${column}`), " ", element("strong", {}, severity), " ", element("code", {}, code)),
    element("p", {}, message, help === undefined ? "" : element("span.note", {}, ` – ${help}`)),
    frame === undefined ? undefined : element("pre", { tabindex: 0, "aria-label": `line ${number}` }, `${number} | ${frame.line}${marks}`),
  );
}
