import { countNoun } from "../base/count-noun.ts";
import { isCodedError } from "../contracts/coded-error.ts";
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { runUntilAborted } from "../base/run-until-aborted.ts";
import type { CompiledComponent, CompiledPipeline } from "../pipeline/model/compiled.ts";
import { Opening, type OpenOptions } from "./open-components.ts";
import { releaseAll } from "./resource-pool.ts";
import { PipelineError } from "./pipeline-error.ts";

/**
 * Opens what a pipeline uses and asks each part whether it can do what is wanted of it; then closes it again. Nothing is written.
 *
 * @param compiled A pipeline without errors.
 * @param options `deadlineMs`: for opening each resource, and for each answer, in milliseconds.
 * @returns What is missing or does not fit, each at its component's place in the file; of what rests on something that is not there,
 *   nothing is told.
 */
export async function connectComponents(compiled: CompiledPipeline, options: OpenOptions & { readonly deadlineMs: number }): Promise<readonly Diagnostic[]> {
  const opening = new Opening(compiled, options);
  const late: Promise<unknown>[] = [];
  const found: Diagnostic[] = [];
  const open: CompiledComponent[] = [];
  try {
    for (const component of compiled.components) {
      if ([...component.component.slots.values()].some((id) => !opening.values.has(id))) continue;
      const problem = await attempt(component, { ...options, hold: (work) => late.push(work), mask: opening.mask }, () => opening.add(component));
      if (problem === undefined) open.push(component);
      else found.push(problem);
    }
    const answers = await Promise.all(open.map(async (component) => ({ component, problems: await examine(component, { opening, compiled, options, late }) })));
    const silent = new Set(
      answers.flatMap(({ component: { component }, problems }) => (component.role === "connection" && problems.length > 0 ? [component.id] : [])),
    );
    // What a connection lacks, everything on it lacks.
    return [
      ...found,
      ...answers.flatMap(({ component: { component }, problems }) => ([...component.slots.values()].some((id) => silent.has(id)) ? [] : problems)),
    ];
  } finally {
    options.signal.throwIfAborted();
    // What came too late is closed too, once it is there; nobody waits for it.
    if (late.length === 0) await releaseAll(opening.leases);
    else void Promise.all(late).then(() => releaseAll(opening.leases));
  }
}

interface Examination {
  readonly opening: Opening;
  readonly compiled: CompiledPipeline;
  readonly options: OpenOptions & { readonly deadlineMs: number };
  readonly late: Promise<unknown>[];
}

async function examine(component: CompiledComponent, { opening, compiled, options, late }: Examination): Promise<readonly Diagnostic[]> {
  const { id, name, place } = component.component;
  const opened = opening.opened.get(id);
  const limits = { ...options, hold: (work: Promise<unknown>) => late.push(work), mask: opening.mask };
  const missing: Diagnostic[] = [];
  const isFilled = Object.values(compiled.plan.ingests).some(({ into, fill }) => fill && into.some((collection) => collection.id === id));
  const problem = await attempt(component, limits, async (signal) => {
    const statements = isFilled ? [] : ((await opened?.setup?.plan(signal)) ?? []);
    if (statements.length > 0) {
      const problem = `${countNoun(statements.length, "statement")} ${statements.length === 1 ? "is" : "are"} missing`;
      missing.push(createDiagnostic("DITTO702", { ...place, arguments: { name, problem } }));
    }
    if (statements.length === 0) await opened?.check?.(signal);
  });
  return problem === undefined ? missing : [problem];
}

interface AttemptLimits {
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  readonly hold: (work: Promise<unknown>) => void;
  readonly mask: (text: string) => string;
}

async function attempt(
  { component: { name, place } }: CompiledComponent,
  { deadlineMs, signal, hold, mask }: AttemptLimits,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<Diagnostic | undefined> {
  const deadline = AbortSignal.timeout(deadlineMs);
  const either = AbortSignal.any([deadline, signal]);
  try {
    await runUntilAborted(() => work(either), { signal: either, hold });
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (deadline.aborted) return createDiagnostic("DITTO718", { ...place, arguments: { name, ms: deadlineMs } });
    if (error instanceof PipelineError && error.diagnostics[0] !== undefined) return error.diagnostics[0];
    const code = isCodedError(error) ? error.code : "UNEXPECTED";
    const message = isCodedError(error) ? mask(error.message) : "it fails for a reason that is not told here";
    return createDiagnostic("DITTO717", { ...place, arguments: { name, code, message } });
  }
}
