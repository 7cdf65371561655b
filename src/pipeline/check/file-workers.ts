import { nodeSchemas } from "../../../schema/nodes.ts";
import { createDiagnostic } from "../../diagnostics/diagnostic.ts";
import { nodeAt } from "../../document/find-node.ts";
import { hasUnknownKind } from "../model/has-unknown-kind.ts";
import { member } from "../model/node-access.ts";
import type { PlanComponent, PlanGraph } from "../model/plan.ts";
import type { Resolved } from "../model/resolved.ts";
import type { CheckScope } from "./check-scope.ts";

/** Who serves which nodes for a file. */
export interface FileWorkers {
  /** Nodes that this process serves: its sections', CONTEXT's, and those of plugins' workers. */
  readonly own: ReadonlySet<string>;
  /** The nodes of each worker under `resources`, by name. */
  readonly resources: ReadonlyMap<string, readonly string[]>;
  /** Those of them that are in another process. */
  readonly remote: ReadonlySet<string>;
  /** A kind is unknown, so that more may be served than is known. */
  readonly open: boolean;
}

/** Finds out who serves what, once all components are judged. */
export function fileWorkers(resolved: Resolved, components: readonly PlanComponent[]): FileWorkers {
  const { validated } = resolved;
  const resources = new Map<string, readonly string[]>();
  const remote = new Set<string>();
  const own = new Set(Object.keys(nodeSchemas).filter((node) => node.startsWith("CONTEXT.")));
  if (member(validated.assembled.root, "memory") !== undefined) for (const node of Object.keys(nodeSchemas)) if (node.startsWith("MEMORY.")) own.add(node);
  if (validated.targets.size > 0 || validated.assembled.incomplete.has("targets")) own.add("RETRIEVAL.SEARCH");
  for (const component of components) {
    if (component.role !== "worker" || component.registered === undefined) continue;
    const nodes = component.facts.nodes ?? Object.keys(component.registered.plugin.nodes ?? {});
    resources.set(component.name, nodes);
    if (component.kind === remoteKind) remote.add(component.name);
    else for (const node of nodes) own.add(node);
  }
  return { own, resources, remote, open: hasUnknownKind(resolved) || validated.assembled.incomplete.has("resources") };
}

/** The kind whose worker is in another process. */
const remoteKind = "remote-worker";

/**
 * Reports nodes of remote workers that this process serves itself and that nothing asks the remote worker for: nobody would ever get them
 * from there.
 */
export function checkRemoteNodes(
  resolved: Resolved,
  at: { readonly components: readonly PlanComponent[]; readonly graphs: readonly PlanGraph[]; readonly workers: FileWorkers; readonly scope: CheckScope },
): void {
  const { components, graphs, workers, scope } = at;
  const inSlots = new Set(components.flatMap(({ slots }) => [...slots.values()]));
  const chosen = new Set(graphs.flatMap(({ nodes }) => nodes.map(({ worker, node }) => `${worker} ${node}`)));
  for (const component of components) {
    if (component.kind !== remoteKind) continue;
    const shape = resolved.validated.resources.get(component.name);
    for (const [index, node] of (workers.resources.get(component.name) ?? []).entries()) {
      const asked = chosen.has(`${component.name} ${node}`) || (node === "RETRIEVAL.SEARCH" && inSlots.has(component.id));
      if (!workers.own.has(node) || asked) continue;
      const span = (shape && nodeAt(shape.node, `/nodes/${index}`)?.node.span) ?? component.place.span;
      scope.report(createDiagnostic("DITTO320", { file: component.place.file, span, arguments: { node, worker: component.name } }));
    }
  }
}
