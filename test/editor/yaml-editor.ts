import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LanguageService } from "yaml-language-server";

type Document = Parameters<LanguageService["doValidation"]>[0];

// The server is made of CommonJS, and its documents are a package of its own.
const require = createRequire(import.meta.url);
const { getLanguageService } = require("yaml-language-server") as typeof import("yaml-language-server");
const { TextDocument } = createRequire(require.resolve("yaml-language-server"))("vscode-languageserver-textdocument") as {
  readonly TextDocument: { readonly create: (uri: string, language: string, version: number, text: string) => Document };
};
const schemaPath = join(import.meta.dirname, "../../schema/pipeline.schema.json");

/** A place in a text that is marked by `|`. */
const cursor = "|";

/** What an editor with the language server of YAML shows of a pipeline file. */
export class YamlEditor {
  readonly #service: LanguageService;

  constructor() {
    const offline = (uri: string): Promise<string> => Promise.reject(new Error(`${uri} is not to be fetched`));
    this.#service = getLanguageService({ schemaRequestService: offline, workspaceContext: { resolveRelativePath: (path, base) => new URL(path, base).href } });
    this.#service.configure({
      validate: true,
      hover: true,
      completion: true,
      isKubernetes: false,
      schemas: [{ uri: "file:///pipeline.schema.json", fileMatch: ["*.yaml"], schema: JSON.parse(readFileSync(schemaPath, "utf8")) }],
    });
  }

  /** Labels that are offered at the cursor. */
  async completions(text: string): Promise<readonly string[]> {
    const { document, position } = openAt(text);
    const { items } = await this.#service.doComplete(document, position, false);
    return items.map(({ label }) => label);
  }

  /** What is shown over the cursor. */
  async hover(text: string): Promise<string> {
    const { document, position } = openAt(text);
    const found = await this.#service.doHover(document, position);
    return found === null ? "" : JSON.stringify(found.contents);
  }

  /** Complaints, each with its line from 1. */
  async problems(text: string): Promise<readonly string[]> {
    const found = await this.#service.doValidation(open(text), false);
    return found.map(({ range, message }) => `${range.start.line + 1}: ${message}`);
  }
}

/** Each text is a document of its own: what was found in one is kept by its address. */
let opened = 0;

function open(text: string): Document {
  opened += 1;
  // What a file says of its own schema is a path that only holds where it lies.
  return TextDocument.create(`file:///project/pipelines/pipeline-${opened}.yaml`, "yaml", 1, text.replace(/^# yaml-language-server:.*$/mu, "#"));
}

function openAt(text: string): { readonly document: Document; readonly position: ReturnType<Document["positionAt"]> } {
  const at = text.indexOf(cursor);
  const document = open(text.slice(0, at) + text.slice(at + cursor.length));
  return { document, position: document.positionAt(at) };
}
