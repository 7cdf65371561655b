import { resolve } from "node:path";
import type { SandboxPolicy } from "../../contracts/runtime-config.ts";
import { RuntimeError } from "../runtime-error.ts";
import { PermissionDeniedError, type SandboxKind } from "./permission-denied-error.ts";
import { isWithin, openWithin } from "./open-within.ts";

/** Runs commands for a Sandbox that allows it. */
export type SandboxExecutor = (command: SandboxCommand) => Promise<SandboxCommandResult>;

/** A command to run. */
export interface SandboxCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** The workspace. */
  readonly cwd: string;
  readonly signal?: AbortSignal | undefined;
}

/** How a command ended. */
export interface SandboxCommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * A guard that cooperating code asks before it reaches out; what the policy does not allow is denied. It is frozen.
 *
 * It is no wall: code that does not ask is not stopped.
 *
 * @example
 * ```ts
 * const sandbox = new Sandbox(config.workspace, { read: true, network: ["https://api.example.com"] });
 * sandbox.assert("network", new URL(endpoint).origin);
 * ```
 */
export class Sandbox {
  /** The absolute folder that files must be in. */
  readonly workspace: string;
  readonly policy: SandboxPolicy;
  readonly #executor: SandboxExecutor | undefined;

  /**
   * @param workspace The folder that files must be in; a relative one starts at the working directory.
   * @param policy What is allowed; nothing by default. Later changes to it have no effect.
   * @param executor Runs the commands of `execute`.
   */
  constructor(workspace: string, policy: SandboxPolicy = {}, executor?: SandboxExecutor) {
    this.workspace = resolve(workspace);
    this.policy = Object.freeze(
      Object.fromEntries(Object.entries(policy).map(([kind, rule]) => [kind, Array.isArray(rule) ? Object.freeze([...rule]) : rule])),
    );
    this.#executor = executor;
    Object.freeze(this);
  }

  /**
   * Tells whether something is allowed.
   *
   * @param kind A member of the policy.
   * @param name For `read` and `write` a path, for `execute` a command, for `network` an origin such as
   *   `https://api.example.com`, otherwise a name. Names are compared exactly.
   */
  allows(kind: SandboxKind, name: string): boolean {
    const rule = Object.hasOwn(this.policy, kind) ? this.policy[kind] : undefined;
    if (Array.isArray(rule)) return rule.includes(name) || rule.includes("*");
    if (rule !== true) return false;
    return kind === "execute" || isWithin(this.workspace, resolve(this.workspace, name));
  }

  /**
   * Refuses what is not allowed.
   *
   * @throws PermissionDeniedError `PERMISSION_DENIED`
   */
  assert(kind: SandboxKind, name: string): void {
    if (!this.allows(kind, name)) throw new PermissionDeniedError(kind, name);
  }

  /**
   * Reads a UTF-8 file of the workspace.
   *
   * @param path Relative to the workspace, or an absolute path in it.
   * @throws PermissionDeniedError for a path, or a symbolic link, that leaves the workspace.
   */
  async readText(path: string): Promise<string> {
    this.assert("read", path);
    const file = await openWithin(this.workspace, path, "read");
    try {
      return await file.readFile("utf8");
    } finally {
      await file.close();
    }
  }

  /**
   * Writes a UTF-8 file of the workspace, and the folders above it that are missing.
   *
   * @param path Relative to the workspace, or an absolute path in it.
   * @throws PermissionDeniedError for a path, or a symbolic link, that leaves the workspace.
   */
  async writeText(path: string, text: string): Promise<void> {
    this.assert("write", path);
    const file = await openWithin(this.workspace, path, "write");
    try {
      await file.truncate(0);
      await file.writeFile(text, "utf8");
    } finally {
      await file.close();
    }
  }

  /**
   * Runs a command in the workspace by the executor.
   *
   * @param command The program; `options.args` are its arguments.
   * @throws PermissionDeniedError when the policy does not allow `execute`.
   * @throws RuntimeError `EXECUTOR_UNAVAILABLE` when the Sandbox was made without an executor.
   */
  async execute(
    command: string,
    options: { readonly args?: readonly string[] | undefined; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<SandboxCommandResult> {
    this.assert("execute", command);
    if (this.#executor === undefined) throw new RuntimeError("EXECUTOR_UNAVAILABLE", "The sandbox has no executor");
    return this.#executor({ command, args: [...(options.args ?? [])], cwd: this.workspace, signal: options.signal });
  }
}
