import { createHmac, randomBytes } from "node:crypto";
import { canonicalJson } from "../base/canonical-json.ts";
import { invariant } from "../base/invariant.ts";
import { isCodedError } from "../contracts/coded-error.ts";
import type { Collection } from "../contracts/collection.ts";
import type { JsonValue } from "../contracts/json.ts";
import type { RoleName } from "../contracts/json-schema.ts";
import type { RetrievalSearchProvider } from "../contracts/retrieval.ts";
import type { RuntimeConfig } from "../contracts/runtime-config.ts";
import { createDiagnostic, diagnosticMessage } from "../diagnostics/diagnostic.ts";
import { compileDataValidator } from "../validation/compile-data-validator.ts";
import type { CompiledComponent, CompiledPipeline } from "../pipeline/model/compiled.ts";
import type { Opened, OpenScope } from "../plugin/plugin-definition.ts";
import { assembleConfiguration } from "./assemble-configuration.ts";
import { createStrategySearch } from "./strategy-search.ts";
import { type Lease, releaseAll, type ResourceKey, type ResourcePool } from "./resource-pool.ts";
import { guardScope } from "./guard-scope.ts";
import { maskError, type OutsideMask, outsideMask } from "./outside-mask.ts";
import { PipelineError } from "./pipeline-error.ts";

/** What components are opened with. */
export interface OpenOptions {
  readonly pool: ResourcePool;
  readonly config: RuntimeConfig;
  readonly sandbox: OpenScope["sandbox"];
  /** Live things of the application, by resource name. */
  readonly injected: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly log: OpenScope["log"];
  /** The process answers others meanwhile. */
  readonly serving: boolean;
}

/** Components that live. */
export interface OpenComponents {
  /** By component id. */
  readonly values: ReadonlyMap<string, unknown>;
  /** What was opened, by resource id: health checks and setup. */
  readonly opened: ReadonlyMap<string, Opened<unknown>>;
  /** Ids of what was opened for this, and of what was open already. */
  readonly fresh: readonly string[];
  readonly carried: readonly string[];
  /** Keeps values from outside out of messages. */
  readonly mask: OutsideMask;
  /** Gives everything back that was opened for this. */
  release(): Promise<void>;
}

/** Digests are keyed, so that no digest in a log or status tells a secret by trying. */
const digestKey: Uint8Array = randomBytes(32);

/**
 * Opens and creates a pipeline's components in order.
 *
 * @throws PipelineError `PIPELINE_NOT_OPEN` with the diagnostic of the first one that does not open; what was opened before is given back.
 */
export async function openComponents(compiled: CompiledPipeline, options: OpenOptions): Promise<OpenComponents> {
  const opening = new Opening(compiled, options);
  try {
    for (const component of compiled.components) await opening.add(component);
  } catch (error) {
    await releaseAll(opening.leases);
    throw error;
  }
  const { values, opened, fresh, carried, mask, leases } = opening;
  return { values, opened, fresh, carried, mask, release: () => releaseAll(leases) };
}

/** Opens components one by one; {@link openComponents} opens all of them or none. */
export class Opening {
  readonly values: Map<string, unknown> = new Map();
  readonly opened: Map<string, Opened<unknown>> = new Map();
  readonly leases: Lease[] = [];
  readonly fresh: string[] = [];
  readonly carried: string[] = [];
  readonly mask: OutsideMask;
  readonly #compiled: CompiledPipeline;
  readonly #options: OpenOptions;
  readonly #digests = new Map<string, string>();
  /** Keys of the opened things that a component rests on. */
  readonly #rests = new Map<string, readonly ResourceKey[]>();

  constructor(compiled: CompiledPipeline, options: OpenOptions) {
    this.mask = outsideMask(compiled.plan.components);
    this.#compiled = compiled;
    this.#options = options;
  }

  /**
   * Opens a component; what stands in its slots is open.
   *
   * @throws PipelineError `PIPELINE_NOT_OPEN`
   */
  async add(compiled: CompiledComponent): Promise<void> {
    const { component } = compiled;
    const { id, name, registered } = component;
    const { injected } = this.#options;
    if (id === `resources.${name}` && Object.hasOwn(injected, name)) {
      this.values.set(id, this.#guarded(compiled, await this.#adopt(compiled, injected[name])));
      this.#digests.set(id, identityOf(injected[name]));
      return;
    }
    invariant(registered !== undefined, "only a plan without errors is opened");
    const configuration = assembleConfiguration(compiled, this.values);
    const scope = this.#scope(compiled);
    this.#digests.set(id, this.#digest(compiled));
    const rests = [...component.slots.values()].flatMap((slot) => this.#rests.get(slot) ?? []);
    const { definition } = registered;
    if (definition.create !== undefined) {
      const value = this.#guarded(
        compiled,
        this.#create(compiled, () => definition.create?.(configuration as never, scope)),
      );
      this.values.set(
        id,
        component.target !== undefined && id === strategyId(component.target)
          ? createStrategySearch(value as RetrievalSearchProvider, component.target)
          : value,
      );
      this.#rests.set(id, rests);
      return;
    }
    const key = { owner: component.place.file.path, name: id, digest: this.#digests.get(id) as string };
    const lease = await this.#lease(key, {
      rests,
      compiled,
      open: () => (definition.open as (c: unknown, s: OpenScope) => Promise<Opened<unknown>>)(configuration, scope),
    });
    this.leases.push(lease);
    (lease.carried ? this.carried : this.fresh).push(id);
    this.opened.set(id, lease.opened);
    this.values.set(id, this.#guarded(compiled, lease.opened.value));
    this.#rests.set(id, [key]);
  }

  #guarded({ component }: CompiledComponent, value: unknown): unknown {
    return guardScope(value, component, this.#compiled.plan);
  }

  /** The application's object is made into what slots take, where its kind knows how. */
  async #adopt(compiled: CompiledComponent, value: unknown): Promise<unknown> {
    const { definition } = compiled.component.registered ?? {};
    if (definition?.adopt === undefined) return value;
    try {
      return await (definition.adopt as (v: unknown, c: unknown, s: OpenScope) => unknown)(
        value,
        assembleConfiguration(compiled, this.values),
        this.#scope(compiled),
      );
    } catch (error) {
      throw notOpen(compiled, { error, mask: this.mask });
    }
  }

  async #lease(
    key: ResourceKey,
    what: { readonly rests: readonly ResourceKey[]; readonly compiled: CompiledComponent; readonly open: () => Promise<Opened<unknown>> },
  ): Promise<Lease> {
    const { pool } = this.#options;
    const needs: Lease[] = [];
    for (const rest of what.rests)
      needs.push(await pool.lease(rest, { needs: [], open: () => Promise.reject(new Error("what a component rests on is open")) }));
    try {
      return await pool.lease(key, { needs, open: what.open });
    } catch (error) {
      throw notOpen(what.compiled, { error, mask: this.mask });
    }
  }

  #create(compiled: CompiledComponent, create: () => unknown): unknown {
    try {
      return create();
    } catch (error) {
      throw notOpen(compiled, { error, mask: this.mask });
    }
  }

  #scope({ component }: CompiledComponent): OpenScope {
    const { config, sandbox, signal, log, serving } = this.#options;
    const collection = (name: string): Collection | undefined => this.#collection(name);
    const scope: OpenScope = {
      id: component.id,
      name: component.name,
      pipeline: this.#compiled.plan.name,
      folder: component.folder,
      signal,
      config,
      serving,
      sandbox,
      target: component.target,
      collection,
      judge: compileDataValidator,
      mask: this.mask,
      log: (level, message) => log(level, this.mask(message)),
    };
    return Object.freeze(scope);
  }

  #collection(name: string): Collection | undefined {
    const { plan } = this.#compiled;
    const id = plan.resources[name];
    const isCollection = plan.components.some((component) => component.id === id && component.role === "collection");
    return id === undefined || !isCollection ? undefined : (this.values.get(id) as Collection | undefined);
  }

  #digest({ component }: CompiledComponent): string {
    const hash = createHmac("sha256", digestKey);
    const slots = [...component.slots].map(([pointer, id]) => [pointer, this.#digests.get(id) ?? ""]);
    const templates = [...component.templates].map(([pointer, { template }]) => [
      pointer,
      component.place.file.text.slice(template.node.span.start, template.node.span.end),
    ]);
    const outside = [...component.outside].map(([pointer, value]) => [pointer, value.reveal()]);
    hash.update(
      canonicalJson([
        component.kind,
        component.registered?.pluginDigest ?? "",
        component.configuration,
        slots,
        templates,
        outside,
        component.folder,
        configOf(component.role, this.#options.config),
      ] as JsonValue),
    );
    return hash.digest("hex").slice(0, 32);
  }
}

const identities = new WeakMap<object, string>();

/** The same object of an application is the same resource in every generation. */
function identityOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return randomBytes(8).toString("hex");
  const identity = identities.get(value) ?? randomBytes(8).toString("hex");
  identities.set(value, identity);
  return identity;
}

/**
 * The numbers and rules of `ditto.yaml` that what lives may be made by: an edit of others must not close connections, let alone
 * forget what only this process keeps.
 */
function configOf(role: RoleName, { environment, workspace, timeoutMs, sandbox, retrieval, context }: RuntimeConfig): unknown {
  const { cache = null, localCache = null } = context;
  const everywhere = { environment, workspace, timeoutMs, sandbox };
  return canonicalShape(
    role === "connection" ? everywhere : role === "context-store" ? { cache, localCache } : { ...everywhere, retrieval, cache, localCache },
  );
}

/** Without members that are undefined, which no JSON has. */
function canonicalShape(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}

function strategyId(target: { readonly name: string; readonly strategy: string }): string {
  return `targets.${target.name}.strategies.${target.strategy}`;
}

/** The error of a component that does not open, with a diagnostic at its place. */
export function notOpen({ component }: CompiledComponent, { error, mask }: { readonly error: unknown; readonly mask: OutsideMask }): PipelineError {
  const code = isCodedError(error) ? error.code : "UNEXPECTED";
  const message = isCodedError(error) ? mask(error.message) : "it fails for a reason that is not told here";
  const diagnostic = createDiagnostic("DITTO701", { ...component.place, arguments: { name: component.name, code, message } });
  return new PipelineError("PIPELINE_NOT_OPEN", diagnosticMessage(diagnostic), { diagnostics: [diagnostic], cause: maskError(error, mask) });
}
