/** The Runtime, its graphs, its transports, and the errors that they fail with. */
export type { InvokeOptions, RuntimeClient, RuntimeEvent } from "../contracts/runtime-client.ts";
export type { RuntimeConfig, SandboxPolicy } from "../contracts/runtime-config.ts";
export { CleanupError } from "../runtime/cleanup-error.ts";
export { createDitto } from "../runtime/create-ditto.ts";
export { type DynamicGraph, type DynamicGraphNode, dynamicGraph } from "../runtime/graph/dynamic-graph.ts";
export { type Graph, graph } from "../runtime/graph/graph.ts";
export type { GraphPlan, PlannedNode } from "../runtime/graph/graph-plan.ts";
export type { LoopDefinition, LoopOptions } from "../runtime/loop.ts";
export { NoWorkerAvailableError } from "../runtime/no-worker-available-error.ts";
export type { ExecutionScope, NodeContext, RuntimeServices } from "../runtime/node-context.ts";
export type { RemoteWorkerOptions } from "../runtime/remote-worker.ts";
export type { DittoOptions, RegisterOptions, RunOptions, Runtime, WorkerHandle, WorkerSnapshot } from "../runtime/runtime.ts";
export { isRuntimeError, RuntimeError, type RuntimeErrorCode } from "../runtime/runtime-error.ts";
export { type EventFailure, type EventHandler, InProcessEvents, type RuntimeEvents } from "../runtime/runtime-events.ts";
export type { ArtifactReference, ArtifactStore } from "../runtime/transport/artifact-store.ts";
export { createHttpTransport, type HttpTransportOptions } from "../runtime/transport/create-http-transport.ts";
export { createIpcTransport, type IpcTransportOptions } from "../runtime/transport/create-ipc-transport.ts";
export {
  createWorkerHttpHandler,
  type HttpRequestListener,
  type WorkerHttpHandlerOptions,
} from "../runtime/transport/create-worker-http-handler.ts";
export { InMemoryArtifactStore } from "../runtime/transport/in-memory-artifact-store.ts";
export type { InvokeEnvelope, InvokeResponse, InvokeTransport, TransferredError } from "../runtime/transport/invoke-envelope.ts";
export type { IpcChannel } from "../runtime/transport/ipc-channel.ts";
export { type EncodedPayload, PayloadCodec } from "../runtime/transport/payload-codec.ts";
export { serveWorkerIpc } from "../runtime/transport/serve-worker-ipc.ts";
export type { UntypedHandler, WorkerAddress, WorkerDefinition, WorkerInstance } from "../runtime/worker-definition.ts";
