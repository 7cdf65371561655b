/** The guard that cooperating code asks before it reaches out. */
export type { SandboxPolicy } from "../contracts/runtime-config.ts";
export { PermissionDeniedError, type SandboxKind } from "../runtime/sandbox/permission-denied-error.ts";
export { Sandbox, type SandboxCommand, type SandboxCommandResult, type SandboxExecutor } from "../runtime/sandbox/sandbox.ts";
