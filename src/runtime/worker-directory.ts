import { hasRoom, type RegisteredWorker } from "./registered-worker.ts";
import type { WorkerAddress } from "./worker-definition.ts";

/** Which workers there are, and which of them takes a call. */
export class WorkerDirectory {
  readonly #home: Omit<WorkerAddress, "workerId">;
  readonly #workers = new Map<string, RegisteredWorker>();
  readonly #routes = new Map<string, Route>();

  /** @param home The host and process from which distance is counted. */
  constructor(home: Omit<WorkerAddress, "workerId">) {
    this.#home = home;
  }

  get(workerId: string): RegisteredWorker | undefined {
    return this.#workers.get(workerId);
  }

  list(): RegisteredWorker[] {
    return [...this.#workers.values()];
  }

  /** Adds a worker whose id is free. */
  add(worker: RegisteredWorker): void {
    this.#workers.set(worker.address.workerId, worker);
    for (const node of worker.capabilities) {
      if (worker.pinned?.has(node)) this.#route(node).pin(worker);
      else this.#route(node).add(worker, distance(this.#home, worker.address));
    }
  }

  /** Takes a worker out; what runs on it goes on. */
  remove(worker: RegisteredWorker): boolean {
    if (this.#workers.get(worker.address.workerId) !== worker) return false;
    this.#workers.delete(worker.address.workerId);
    for (const node of worker.capabilities) this.#route(node).remove(worker);
    return true;
  }

  /**
   * Finds the worker for a call: among those that have the capability, are available and have room, the nearest, and
   * the next in turn among equals.
   *
   * @param node The capability.
   * @param workerId When given, this worker or none.
   */
  select(node: string, workerId?: string): RegisteredWorker | undefined {
    const route = this.#routes.get(node);
    if (workerId === undefined) return route?.next();
    const worker = this.#workers.get(workerId);
    return worker !== undefined && route?.has(worker) && hasRoom(worker) ? worker : undefined;
  }

  /** Like {@link select}, among the workers of this process that are called directly. */
  selectDirect(node: string): RegisteredWorker | undefined {
    return this.#routes.get(node)?.next((worker) => worker.direct);
  }

  /** Whether a worker of this process has the capability, free or not. */
  offersDirect(node: string): boolean {
    return this.#routes.get(node)?.some((worker) => worker.direct) ?? false;
  }

  #route(node: string): Route {
    const route = this.#routes.get(node) ?? new Route();
    this.#routes.set(node, route);
    return route;
  }
}

/** 0: same process, 1: same host, 2: elsewhere. */
function distance(home: Omit<WorkerAddress, "workerId">, address: WorkerAddress): number {
  if (address.hostId !== home.hostId) return 2;
  return address.processId === home.processId ? 0 : 1;
}

/** The workers with one capability, by distance. */
class Route {
  readonly #circles: Circle[] = [
    { workers: [], turn: 0 },
    { workers: [], turn: 0 },
    { workers: [], turn: 0 },
  ];

  /** Workers that only calls naming them get. */
  readonly #pinned = new Set<RegisteredWorker>();

  add(worker: RegisteredWorker, circle: number): void {
    this.#circles[circle]?.workers.push(worker);
  }

  pin(worker: RegisteredWorker): void {
    this.#pinned.add(worker);
  }

  remove(worker: RegisteredWorker): void {
    this.#pinned.delete(worker);
    for (const circle of this.#circles) circle.workers = circle.workers.filter((other) => other !== worker);
  }

  has(worker: RegisteredWorker): boolean {
    return this.#pinned.has(worker) || this.#circles.some(({ workers }) => workers.includes(worker));
  }

  some(accepts: (worker: RegisteredWorker) => boolean): boolean {
    return this.#circles.some(({ workers }) => workers.some(accepts));
  }

  next(accepts?: (worker: RegisteredWorker) => boolean): RegisteredWorker | undefined {
    for (const circle of this.#circles) {
      const { workers, turn } = circle;
      for (let step = 0; step < workers.length; step += 1) {
        const position = (turn + step) % workers.length;
        const worker = workers[position] as RegisteredWorker;
        if (!hasRoom(worker) || accepts?.(worker) === false) continue;
        circle.turn = position + 1;
        return worker;
      }
    }
    return undefined;
  }
}

/** Workers that are equally far away; the one at `turn` is asked first. */
interface Circle {
  workers: RegisteredWorker[];
  turn: number;
}
