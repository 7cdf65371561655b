import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { formatGithub } from "../../diagnostics/format-github.ts";
import { formatJson } from "../../diagnostics/format-json.ts";
import { formatJunit } from "../../diagnostics/format-junit.ts";
import { formatPretty } from "../../diagnostics/format-pretty.ts";
import { formatSarif } from "../../diagnostics/format-sarif.ts";

/** How findings can be written. */
export const diagnosticFormats = ["pretty", "json", "github", "sarif", "junit"] as const;

/** One of {@link diagnosticFormats}. */
export type DiagnosticFormat = (typeof diagnosticFormats)[number];

/** Writes findings in one of the formats; `files` are those that were checked. */
export function formatDiagnostics(
  diagnostics: readonly Diagnostic[],
  { format, files, color }: { readonly format: DiagnosticFormat; readonly files: readonly string[]; readonly color: boolean },
): string {
  switch (format) {
    case "pretty":
      return formatPretty(diagnostics, { color });
    case "json":
      return formatJson(diagnostics);
    case "github":
      return formatGithub(diagnostics);
    case "sarif":
      return formatSarif(diagnostics);
    case "junit":
      return formatJunit(diagnostics, { files });
  }
}
