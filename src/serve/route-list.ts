import { HttpFault } from "./http-fault.ts";

/** Paths as literal types, so that their parameters are known. */
export interface RouteList {
  readonly health: "/health";
  readonly ready: "/ready";
  readonly status: "/status";
  readonly metrics: "/metrics";
  readonly openApi: "/openapi.json";
  readonly pipelines: "/v1/pipelines";
  readonly search: "/v1/pipelines/:name/search";
  readonly run: "/v1/pipelines/:name/run";
  readonly runGraph: "/v1/pipelines/:name/run/:graph";
  readonly invoke: "/ditto/invoke";
  readonly invokePipeline: "/v1/pipelines/:name/ditto/invoke";
}

/** Every path that is answered. */
export const routeList: RouteList = {
  health: "/health",
  ready: "/ready",
  status: "/status",
  metrics: "/metrics",
  openApi: "/openapi.json",
  pipelines: "/v1/pipelines",
  search: "/v1/pipelines/:name/search",
  run: "/v1/pipelines/:name/run",
  runGraph: "/v1/pipelines/:name/run/:graph",
  invoke: "/ditto/invoke",
  invokePipeline: "/v1/pipelines/:name/ditto/invoke",
};

const methods: Readonly<Record<keyof RouteList, "GET" | "POST">> = {
  health: "GET",
  ready: "GET",
  status: "GET",
  metrics: "GET",
  openApi: "GET",
  pipelines: "GET",
  search: "POST",
  run: "POST",
  runGraph: "POST",
  invoke: "POST",
  invokePipeline: "POST",
};

/** The answer to a request that no route takes: 405 where the path is right, else 404 with what there is. */
export function wrongRoute(method: string, path: string): HttpFault {
  const routes = Object.entries(routeList) as readonly (readonly [keyof RouteList, string])[];
  const found = routes.find(([, pattern]) => matches(pattern, path));
  if (found !== undefined) {
    const allowed = methods[found[0]] === "GET" ? ["GET", "HEAD"] : ["POST"];
    const headers = { allow: allowed.join(", ") };
    return new HttpFault({ status: 405, code: "SERVE_METHOD_NOT_ALLOWED" }, `${shown(method)} is not answered here`, { allowed, headers });
  }
  const allowed = routes.map(([name, pattern]) => `${methods[name]} ${pattern.replaceAll(/:(\w+)/g, "{$1}")}`);
  return new HttpFault({ status: 404, code: "SERVE_NOT_FOUND" }, "There is no such route", { allowed });
}

function matches(pattern: string, path: string): boolean {
  const [wanted, found] = [pattern.split("/"), path.split("/")];
  return wanted.length === found.length && wanted.every((part, index) => (part.startsWith(":") ? found[index] !== "" : part === found[index]));
}

function shown(method: string): string {
  return /^[A-Z]{1,20}$/u.test(method) ? method : "This method";
}
