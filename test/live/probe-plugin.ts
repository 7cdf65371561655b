import { setTimeout as sleep } from "node:timers/promises";
import { defineKind, definePlugin, type PluginDefinition, RetrievalError, type RetrievalSearchProvider } from "@codesoul-co/ditto/plugin";

/** A connection that can be counted. */
export interface Probe {
  readonly address: string;
  readonly number: number;
  closed: boolean;
}

/** What the plugin's connections went through. */
export interface ProbeLog {
  readonly opened: Probe[];
  readonly checked: Probe[];
  readonly searched: Probe[];
  /** Addresses whose check fails, and those that never open. */
  readonly ill: Set<string>;
  readonly hanging: Set<string>;
  onOpen: (address: string) => unknown;
}

/** A plugin with a connection, and a search over it that takes as long as its request says. */
export function probePlugin(): { readonly plugin: PluginDefinition; readonly log: ProbeLog } {
  const log: ProbeLog = { opened: [], checked: [], searched: [], ill: new Set(), hanging: new Set(), onOpen: () => undefined };
  const connection = defineKind<"connection", { readonly address: string }>({
    kind: "probe",
    role: "connection",
    summary: "A connection of tests.",
    schema: { type: "object", required: ["address"], additionalProperties: false, properties: { address: { type: "string" } } },
    example: { address: "here" },
    open: async ({ address }) => {
      log.onOpen(address);
      if (log.hanging.has(address)) await new Promise(() => {});
      const probe: Probe = { address, number: log.opened.length + 1, closed: false };
      log.opened.push(probe);
      return {
        value: probe,
        close: () => {
          probe.closed = true;
        },
        check: async () => {
          log.checked.push(probe);
          if (log.ill.has(address)) throw new RetrievalError("RETRIEVAL_PROVIDER_UNAVAILABLE", "the probe is ill");
        },
      };
    },
  });
  const search = defineKind<"search", { readonly connection: Probe; readonly weight: number }>({
    kind: "probe.search",
    role: "search",
    summary: "A search of tests.",
    schema: {
      type: "object",
      required: ["connection"],
      additionalProperties: false,
      properties: { connection: { "x-ditto-slot": { role: "connection" } }, weight: { type: "number", default: 1 } },
    },
    example: { connection: "db" },
    describe: () => ({ candidate: { type: "object" } }),
    create: ({ connection: probe, weight }): RetrievalSearchProvider => ({
      search: async ({ target, query, options }, context = {}) => {
        if (probe.closed) throw new RetrievalError("RETRIEVAL_PROVIDER_UNAVAILABLE", "the probe is closed");
        log.searched.push(probe);
        const { until } = (options ?? {}) as { readonly until?: Promise<void> };
        await until;
        if (query.content === "forever") await sleep(2 ** 30, undefined, { signal: context.signal });
        if (query.content === "deaf") await new Promise(() => {});
        if (probe.closed) throw new RetrievalError("RETRIEVAL_PROVIDER_UNAVAILABLE", "the probe was closed meanwhile");
        return { target, candidates: [{ id: `${probe.address}#${probe.number}`, content: weight, score: weight }] };
      },
    }),
  });
  return { plugin: definePlugin({ name: "probe", apiVersion: 1, kinds: [connection, search] }), log };
}

/** A pipeline over one probe. */
export function probing(name: string, { address = "here", weight = 1 }: { readonly address?: string; readonly weight?: number } = {}): string {
  return `version: 1
name: ${name}
resources:
  db: { probe: { address: ${address} } }
targets:
  t:
    strategies:
      only: { probe.search: { connection: db, weight: ${weight} } }
`;
}
