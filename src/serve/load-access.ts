import { ConfigurationError } from "../configuration/configuration-error.ts";
import { loadServeSettings, type ServeSettings, type ServeSettingsOptions } from "../configuration/load-serve-settings.ts";
import type { ProjectConfig } from "../configuration/load-project-config.ts";
import { PipelineError } from "../live/pipeline-error.ts";
import { authenticator } from "./caller.ts";
import type { ServeAccess } from "./serve-parts.ts";

/** Where access is read from, and what the command line says over it. */
export interface AccessOptions extends ServeSettingsOptions {
  /** Where the search for `ditto.yaml` begins. */
  readonly folder: string;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  /** Everybody who reaches the server may ask, also from other machines. */
  readonly noAuth: boolean;
}

/**
 * Reads who may ask and for how much.
 *
 * @throws ConfigurationError `CONFIGURATION_INVALID` with every fault; PipelineError `SERVE_TOKENS_NEEDED` where other machines could ask
 *   without a token, `SERVE_TOKENS_UNUSED` where tokens are configured and none shall be needed.
 */
export function loadAccess(options: AccessOptions): { readonly access: ServeAccess; readonly project: ProjectConfig } {
  const { settings: written, project, diagnostics } = loadServeSettings(options.folder, options);
  if (diagnostics.some(({ severity }) => severity === "error")) throw new ConfigurationError("CONFIGURATION_INVALID", diagnostics);
  const { host = written.host, port = written.port, noAuth } = options;
  const settings: ServeSettings = Object.freeze({ ...written, host, port });
  const isOpen = settings.tokens.length === 0;
  if (noAuth && !isOpen) throw new PipelineError("SERVE_TOKENS_UNUSED", "Tokens are configured, and --no-auth would let everybody in without one");
  if (isOpen && !noAuth && !isLoopback(host))
    throw new PipelineError("SERVE_TOKENS_NEEDED", `Other machines could ask at "${host}" without a token: write serve.tokens, or say --no-auth`);
  return { access: { settings, authenticate: authenticator(settings.tokens), loopbackOnly: isOpen && !noAuth }, project };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/u.test(host);
}
