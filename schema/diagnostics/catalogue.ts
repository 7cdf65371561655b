import { expressionDiagnostics } from "./expressions.ts";
import { graphDiagnostics } from "./graphs.ts";
import { pluginDiagnostics } from "./plugins.ts";
import { readingDiagnostics } from "./reading.ts";
import { referenceDiagnostics } from "./references.ts";
import { runningDiagnostics } from "./running.ts";
import { shapeDiagnostics } from "./shape.ts";

/** Every code by its name. The type, and with it the arguments of each code, comes from the sentences themselves. */
export type DiagnosticCatalogue = typeof readingDiagnostics &
  typeof shapeDiagnostics &
  typeof referenceDiagnostics &
  typeof expressionDiagnostics &
  typeof graphDiagnostics &
  typeof pluginDiagnostics &
  typeof runningDiagnostics;

/** Every code that this package can report. */
export const diagnosticCatalogue: DiagnosticCatalogue = {
  ...readingDiagnostics,
  ...shapeDiagnostics,
  ...referenceDiagnostics,
  ...expressionDiagnostics,
  ...graphDiagnostics,
  ...pluginDiagnostics,
  ...runningDiagnostics,
};
