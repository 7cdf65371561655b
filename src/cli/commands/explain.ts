import { nearestName } from "../../base/nearest-names.ts";
import { diagnosticCatalogue } from "../../../schema/diagnostics/catalogue.ts";
import type { DiagnosticCode } from "../../diagnostics/diagnostic.ts";
import type { CliCall, CliCommand } from "../cli-command.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { paintFor } from "../render/paint.ts";
import { UsageError } from "../usage-error.ts";

/** `ditto explain`: what a code means. */
export const explainCommand: CliCommand = {
  declare: (command) => {
    command.argument("[code]", "a code such as DITTO204; all of them are listed otherwise").option("--json", "print it as JSON");
  },
  examples: [["ditto explain DITTO204", "what it means and what to do"]],
  run: explain,
};

async function explain({ args, options, context: { out } }: CliCall): Promise<ExitCode> {
  const paint = paintFor(out);
  const codes = Object.keys(diagnosticCatalogue) as DiagnosticCode[];
  const [asked] = args;
  const isJson = options["json"] === true;
  if (asked === undefined) {
    if (isJson) {
      out.write(
        `${JSON.stringify(
          codes.map((code) => ({ code, severity: diagnosticCatalogue[code].severity, title: diagnosticCatalogue[code].title })),
          null,
          2,
        )}\n`,
      );
      return exitCodes.fine;
    }
    out.write(codes.map((code) => `${paint("bold", code)}  ${diagnosticCatalogue[code].title}\n`).join(""));
    return exitCodes.fine;
  }
  const wanted = /^\d+$/u.test(asked) ? `DITTO${asked}` : asked.toUpperCase();
  const code = codes.find((candidate) => candidate === wanted);
  if (code === undefined) {
    const near = nearestName(wanted, codes);
    throw new UsageError(`no code is called "${asked}"`, { hint: near === undefined ? "ditto explain lists all of them" : `did you mean "${near}"?` });
  }
  if (isJson) {
    out.write(`${JSON.stringify({ code, ...diagnosticCatalogue[code] }, null, 2)}\n`);
    return exitCodes.fine;
  }
  const { severity, title, sentence, explanation, wayOut, wrong, right } = diagnosticCatalogue[code];
  const heading = `${paint("bold", code)} ${paint(severity === "error" ? "red" : "yellow", severity)}: ${title}`;
  out.write(`${[heading, `  ${sentence}`, fold(explanation), fold(wayOut), `Wrong:\n${indent(wrong)}`, `Right:\n${indent(right)}`].join("\n\n")}\n`);
  return exitCodes.fine;
}

/** Columns of a line that reads well. */
const foldAt = 90;

function fold(text: string): string {
  const lines = [""];
  for (const word of text.trim().split(/\s+/u)) {
    const last = lines.at(-1) ?? "";
    if (last === "") lines[lines.length - 1] = word;
    else if (last.length + word.length < foldAt) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join("\n");
}

function indent(text: string): string {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}
