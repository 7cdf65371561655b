import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import type { Collection } from "../../src/contracts/collection.ts";
import { createInspector } from "../../src/inspector/create-inspector.ts";
import { listenLocally, type LocalServer } from "../../src/inspector/listen-locally.ts";
import type { LivePipelines } from "../../src/live/live-pipelines.ts";
import { watchPipelines } from "../../src/live/watch-pipelines.ts";
import { wordEmbedding } from "../../src/testing/word-embedding.ts";
import { chromiumBrowser, startChromium } from "../servers/chromium.ts";
import { describeWithServer } from "../servers/describe-with-server.ts";

const text = `version: 1
name: kb
resources:
  db: { sqlite: { file: kb.db } }
  encoder: { local-embedding: {} }
  kb: { sqlite.collection: { database: db, embedding: encoder, fields: { title: { type: string } } } }
targets:
  kb:
    default: both
    strategies:
      words: { text: { collection: kb } }
      vector: { vector: { collection: kb } }
      both:
        hybrid:
          branches:
            words: { weight: 1 }
            vector: { weight: 1 }
      few: { refine: { search: both, where: '\${ candidate.id != "b" }' } }
graphs:
  ask:
    input: { type: object, required: [question], properties: { question: { type: string } } }
    nodes: { search: { node: RETRIEVAL.SEARCH, input: { query: { content: "\${ input.question }" }, target: { name: kb } } } }
    output: "\${ size(search.output.candidates) }"
`;

/** By words the first is best, by the vectors of these words the second. */
const rows = [
  { id: "a", title: "Apples & <pears>", content: "apple apple apple apple apple apple banana cherry damson elder" },
  { id: "b", title: "Apples alone", content: "apple" },
  { id: "c", title: "中文标题", content: "apple 苹果" },
];

// A browser on a busy machine takes its time.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

describeWithServer(chromiumBrowser, () => {
  const folder = mkdtempSync(join(tmpdir(), "ditto-inspector-"));
  const file = join(folder, "kb.yaml");
  const ending = new AbortController();
  let live: LivePipelines;
  let listening: LocalServer;
  let browser: Browser;

  beforeAll(async () => {
    writeFileSync(file, text);
    live = await watchPipelines(folder, { resources: { encoder: wordEmbedding }, allowInvalid: true });
    await live.get("kb").use(async ({ pipeline }) => {
      const records = rows.map(({ id, title, content }) => ({ id, hash: "", parts: [{ id, content, metadata: { title } }] }));
      await (pipeline.resource("kb") as Collection).records.replace(records);
    });
    const assets = join(import.meta.dirname, "../../dist/inspector");
    listening = await listenLocally(await createInspector({ live, folder, assets, signal: ending.signal }), { port: 0, usualPort: 0 });
    browser = await startChromium();
  });

  afterAll(async () => {
    ending.abort();
    await browser?.close();
    await listening?.close();
    await live?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Writes the file and has it noticed: no test waits for a watcher. */
  async function save(changed: string): Promise<void> {
    writeFileSync(file, changed);
    await live.reload();
  }

  /** A page of its own; in the end nothing may have gone wrong in it, and nothing may have been asked of others. */
  async function open(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    page.setDefaultTimeout(50_000);
    const wrong: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") wrong.push(message.text());
    });
    page.on("pageerror", (error) => wrong.push(error.message));
    page.on("request", (request) => {
      if (!request.url().startsWith(listening.url) && !request.url().startsWith("data:")) wrong.push(`asked ${request.url()}`);
    });
    onTestFinished(async () => {
      await context.close();
      expect(wrong).toEqual([]);
    });
    await page.goto(listening.url);
    await page.locator("#picture svg").waitFor();
    return page;
  }

  async function ask(page: Page, strategy = "both"): Promise<void> {
    await page.getByRole("searchbox", { name: "Question" }).fill("apple");
    await page.getByLabel("Strategy").selectOption(strategy);
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("heading", { name: `kb / ${strategy}` }).waitFor();
    await page.locator(".hits > li").first().waitFor();
  }

  const order = (page: Page): Promise<(string | null)[]> =>
    page.locator(".hits > li").evaluateAll((items) => items.map((item) => item.getAttribute("data-id")));

  it("shows the ranked answer with each branch's rank, score, weight and what it adds", async () => {
    const page = await open();
    await ask(page);
    const first = page.locator(".hits > li").first();
    expect(await first.locator(".shares li").allTextContents()).toEqual([
      expect.stringMatching(/^words #\d, score [\d.]+, weight 1 gives 0\.01\d+$/u),
      expect.stringMatching(/^vector #\d, score [\d.]+, weight 1 gives 0\.01\d+$/u),
    ]);
    expect(await page.locator(".title strong").allTextContents()).toEqual(expect.arrayContaining(["Apples & <pears>", "中文标题"]));
    expect(await page.locator("#trace li").count()).toBeGreaterThan(4);
    expect(await page.locator("#picture .touched .did").allTextContents()).not.toEqual([]);
    expect(await page.locator('#picture [data-part="targets.kb"] .did').textContent()).toMatch(/ms, 3 found$/u);
  });

  it("shows at once what another weight does, and gives the YAML to paste", async () => {
    const page = await open();
    await ask(page);
    const slider = page.getByRole("slider", { name: "words" });
    await slider.focus();
    await page.keyboard.press("End");
    expect((await order(page))[0]).toBe("a");
    await page.keyboard.press("Home");
    expect((await order(page))[0]).toBe("b");
    const yaml = await page.locator(".yaml pre").textContent();
    expect(yaml).toBe("branches:\n  words:\n    weight: 0.05\n  vector:\n    weight: 1\n");
    expect(await page.locator(".yaml .note code").textContent()).toMatch(/kb\.yaml:15$/u);
    await page.getByRole("button", { name: "As in the file" }).click();
    expect(await page.locator(".yaml pre").count()).toBe(0);
    expect(await page.locator(".hits .move").count()).toBe(0);
  });

  it("says why a document is not in the answer", async () => {
    const page = await open();
    await ask(page, "few");
    await page.getByLabel("A document's id").fill("b");
    await page.getByRole("button", { name: "Why?" }).click();
    expect(await page.locator(".reasons li").textContent()).toMatch(/^below-floor kb\/few > refine: its `where` does not hold/u);
  });

  it("shows what is wrong at its place while the old generation goes on, then compares the generations", async () => {
    const page = await open();
    await ask(page);
    onTestFinished(() => save(text));
    await save(text.replace("branches:", "branchs:"));
    await page.getByRole("heading", { name: "The file cannot serve" }).waitFor();
    expect(await page.locator("#problems pre").first().textContent()).toMatch(/^15 \| {11}branchs:\n {3}\| {11}\^{7}$/u);
    expect(await page.locator("#problems .place").first().textContent()).toMatch(/kb\.yaml:15:11$/u);
    expect(await page.locator("#problems").textContent()).toContain("did you mean");
    await ask(page, "words");
    await ask(page);
    await save(text.replace("words: { weight: 1 }", "words: { weight: 0.1 }"));
    await page.locator("#problems").waitFor({ state: "hidden" });
    await page.locator("#compare h2").waitFor();
    expect(await page.locator("#compare .side").count()).toBe(2);
    expect(await page.locator("#compare").textContent()).toContain("now");
    expect((await order(page))[0]).toBe("b");
  });

  it("is operated by the keyboard alone", async () => {
    const page = await open();
    const { keyboard } = page;
    await keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the question");
    await keyboard.press("/");
    await keyboard.type("apple");
    await keyboard.press("Enter");
    await page.locator(".hits > li").first().waitFor();
    const reached = new Set<string>();
    for (let step = 0; step < 40; step += 1) {
      await keyboard.press("Tab");
      reached.add(String(await page.evaluate("`${document.activeElement.tagName.toLowerCase()}#${document.activeElement.id}`")));
    }
    for (const control of ["input#weight-0", "input#weight-1", "input#why-id", "select#strategy", "summary#"]) expect([...reached]).toContain(control);
    await page.getByRole("slider", { name: "words" }).focus();
    const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
    expect(outline).toBe("solid");
  });

  it.each([
    [1440, "light"],
    [1440, "dark"],
    [390, "light"],
    [390, "dark"],
  ] as const)("fits %i pixels in %s, and holds what people with other eyes and hands need", async (width, colorScheme) => {
    const page = await open({ viewport: { width, height: 900 }, colorScheme });
    await ask(page);
    await page.locator(".hits details").first().locator("summary").click();
    await page.getByRole("slider", { name: "words" }).focus();
    await page.keyboard.press("Home");
    await page.locator(".yaml pre").waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")).toBe(0);
    await page.evaluate(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
    const found = await page.evaluate(async () => {
      const { violations } = await (
        globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> } }
      ).axe.run();
      return violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ html }) => html) }));
    });
    expect(found.filter(({ impact }) => impact === "serious" || impact === "critical")).toEqual([]);
  });
});
