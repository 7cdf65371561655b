import { ContextError } from "../../contracts/context-error.ts";
import type { ContextPolicy } from "../../contracts/runtime-config.ts";

/** A policy with nothing left open but the token cap, which may be absent. */
export interface ResolvedContextPolicy {
  readonly maxInlineBytes: number;
  readonly maxItems: number;
  readonly maxTokens: number | undefined;
  readonly duplicate: "replace" | "keep-first" | "reject";
  readonly missingRemoval: "ignore" | "reject";
}

/**
 * Takes each member from the first policy that has it, and the rest from what is built in.
 *
 * @param policies The constructor's, then that of `ditto.yaml`.
 * @throws ContextError `INVALID_INPUT` for a member that is unknown or out of range.
 */
export function resolveContextPolicy(...policies: readonly (ContextPolicy | undefined)[]): ResolvedContextPolicy {
  for (const policy of policies) if (policy) checkPolicy(policy);
  const first = <K extends keyof ContextPolicy>(name: K) => policies.find((policy) => policy?.[name] !== undefined)?.[name];
  return {
    maxInlineBytes: first("maxInlineBytes") ?? 65_536,
    maxItems: first("maxItems") ?? 256,
    maxTokens: first("maxTokens"),
    duplicate: first("duplicate") ?? "replace",
    missingRemoval: first("missingRemoval") ?? "ignore",
  };
}

function checkPolicy(policy: ContextPolicy): void {
  for (const [name, value] of Object.entries(policy)) {
    const allowed = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (!allowed) throw new ContextError("INVALID_INPUT", `policy may have ${Object.keys(rules).join(", ")} only`);
    if (value !== undefined && !allowed.meets(value)) throw new ContextError("INVALID_INPUT", `policy.${name} must be ${allowed.text}`);
  }
}

interface Rule {
  readonly text: string;
  meets(value: unknown): boolean;
}

const cap: Rule = {
  text: "an integer from 1 to 1000000",
  meets: (value) => typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 1_000_000,
};

const oneOf = (...values: readonly string[]): Rule => ({
  text: values.join(" or "),
  meets: (value) => typeof value === "string" && values.includes(value),
});

const rules: Readonly<Record<string, Rule>> = {
  maxInlineBytes: cap,
  maxItems: cap,
  maxTokens: cap,
  duplicate: oneOf("replace", "keep-first", "reject"),
  missingRemoval: oneOf("ignore", "reject"),
};
