import { invariant } from "../base/invariant.ts";
import { runUntilAborted } from "../base/run-until-aborted.ts";
import { PipelineError } from "./pipeline-error.ts";
import { notOpen } from "./open-components.ts";
import type { OpenPipeline } from "./open-pipeline.ts";

/**
 * Asks what was opened for a pipeline whether it can serve; what was open before serves already.
 *
 * @param options `timeoutMs` that all checks together may take.
 * @throws PipelineError `PIPELINE_NOT_OPEN` with the diagnostic of the first that cannot.
 */
export async function checkFresh(pipeline: OpenPipeline, options: { readonly timeoutMs: number; readonly signal: AbortSignal }): Promise<void> {
  const { fresh, opened, mask } = pipeline.components;
  const controller = new AbortController();
  const { timeoutMs } = options;
  const timer = setTimeout(() => controller.abort(new PipelineError("PIPELINE_NOT_OPEN", `its health check took longer than ${timeoutMs} ms`)), timeoutMs);
  try {
    await runUntilAborted(
      () =>
        Promise.all(
          fresh.map(async (id) => {
            const component = pipeline.compiled.components.find(({ component }) => component.id === id);
            invariant(component !== undefined, "what was opened is in the plan");
            try {
              await runUntilAborted(async () => opened.get(id)?.check?.(controller.signal), { signal: controller.signal });
            } catch (error) {
              throw notOpen(component, { error, mask });
            }
          }),
        ),
      { signal: options.signal },
    );
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}
