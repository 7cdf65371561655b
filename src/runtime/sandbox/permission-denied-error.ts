import type { SandboxPolicy } from "../../contracts/runtime-config.ts";
import { RuntimeError } from "../runtime-error.ts";

/** What a Sandbox guards: the members of its policy. */
export type SandboxKind = keyof SandboxPolicy;

/** The Sandbox does not allow something. */
export class PermissionDeniedError extends RuntimeError {
  readonly kind: SandboxKind;
  /** The path, tool, server, skill or origin that was asked for. */
  readonly target: string;

  /**
   * @param kind What was asked for.
   * @param target Its name.
   */
  constructor(kind: SandboxKind, target: string) {
    super("PERMISSION_DENIED", `The sandbox does not allow ${kind}: ${target}`);
    this.name = "PermissionDeniedError";
    this.kind = kind;
    this.target = target;
  }
}
