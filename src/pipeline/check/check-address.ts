import { createDiagnostic } from "../../diagnostics/diagnostic.ts";
import { nodeAt, pointerSegments } from "../../document/find-node.ts";
import type { JsonValue } from "../../contracts/json.ts";
import type { ResolvedComponent } from "../model/resolved.ts";
import type { CheckScope } from "./check-scope.ts";

/**
 * Judges an address that requests will go to: the Sandbox must allow its origin. What is not known here is judged when it is opened.
 *
 * @param pointer Where it stands in the configuration.
 */
export function checkAddress(pointer: string, { component, scope }: { readonly component: ResolvedComponent; readonly scope: CheckScope }): void {
  const { shape, configuration, outside } = component;
  const secret = outside.get(pointer);
  const address = secret === undefined ? valueAt(configuration, pointer) : secret.reveal();
  if (component.injected || typeof address !== "string") return;
  const node = nodeAt(shape.node, pointer)?.node ?? shape.node;
  const { origin, protocol } = URL.canParse(address) ? new URL(address) : { origin: "null", protocol: "" };
  if (protocol !== "http:" && protocol !== "https:") {
    scope.report(
      createDiagnostic("DITTO208", {
        file: shape.file,
        span: node.span,
        arguments: { place: "url", form: "an http or https URL", found: secret?.shown ?? address },
      }),
    );
    return;
  }
  if (scope.allowsOrigin(origin)) return;
  // What came from outside is shown as it stands in the file.
  const [shown, value] = secret === undefined ? [origin, origin] : [`the origin of ${secret.shown}`, "its origin"];
  const hint = `allow it in the environment: DITTO_SHARED_SANDBOX_ALLOW_NETWORK=${value}, several separated by commas`;
  scope.report(createDiagnostic("DITTO323", { file: shape.file, span: node.span, arguments: { origin: shown }, hint }));
}

function valueAt(tree: JsonValue, pointer: string): unknown {
  let value: unknown = tree;
  for (const key of pointerSegments(pointer))
    value = typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
  return value;
}
