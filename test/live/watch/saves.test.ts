import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { LivePipelines } from "../../../src/live/live-pipelines.ts";
import { LiveFolder, said, saying } from "../live-folder.ts";

const ways = [
  ["on the system's notices", {}],
  ["at intervals", { polling: true, intervalMs: 50 }],
] as const;

/** How programs replace a file. */
const saves: Readonly<Record<string, (path: string, text: string) => void | Promise<void>>> = {
  "in place": (path, text) => writeFileSync(path, text),
  "by a new file that takes the name": (path, text) => {
    writeFileSync(`${path}.tmp`, text);
    renameSync(`${path}.tmp`, path);
  },
  "as vim: the old file becomes a backup, a new one is written": (path, text) => {
    renameSync(path, `${path}~`);
    writeFileSync(path, text);
    unlinkSync(`${path}~`);
  },
  "as IDEs: a copy is written, two renames swap it in": (path, text) => {
    writeFileSync(`${path}___new___`, text);
    renameSync(path, `${path}___old___`);
    renameSync(`${path}___new___`, path);
    unlinkSync(`${path}___old___`);
  },
  "by deleting and making it again": async (path, text) => {
    rmSync(path);
    await sleep(50);
    writeFileSync(path, text);
  },
  "by emptying it, and writing 300 ms later": async (path, text) => {
    writeFileSync(path, "");
    await sleep(300);
    writeFileSync(path, text);
  },
  "in two pieces": async (path, text) => {
    writeFileSync(path, text.slice(0, text.length / 2));
    await sleep(60);
    writeFileSync(path, text);
  },
  "with the time of the file it replaces": (path, text) => {
    const before = new Date("2020-01-01");
    writeFileSync(`${path}.tmp`, text);
    utimesSync(`${path}.tmp`, before, before);
    renameSync(`${path}.tmp`, path);
  },
};

describe.each(ways)("a save is noticed %s", (_way, watch) => {
  const options = { watch };
  /** So much that no machine is too busy for a save in several steps. */
  const patient = { watch: { ...watch, settleMs: 3000 } };

  it.each(Object.entries(saves))("%s, several times, each once", async (name, save) => {
    const folder = new LiveFolder({ "pipelines/a.yaml": saying("a", "w0"), "pipelines/b.yaml": saying("b", "still") });
    const pipelines = await folder.start(patient);
    for (const number of [1, 2, 3]) {
      await save(folder.at("pipelines/a.yaml"), saying("a", `w${number}`));
      await folder.next("switched", ({ pipeline, generation }) => pipeline === "a" && generation.number === number + 1);
      expect(await said(pipelines, "a")).toBe(`w${number}`);
    }
    await isQuiet(folder, pipelines);
    expect(folder.count("switched", "a")).toBe(4);
    expect(folder.count("switched", "b")).toBe(1);
    expect(folder.count("removed")).toBe(0);
    // A writer may pause for longer than anybody would wait, so half a file may well be told of.
    if (name !== "in two pieces") expect(folder.count("failed")).toBe(0);
  });

  it("as a mounted folder changes: by one link, three times over", async () => {
    const folder = new LiveFolder();
    const mount = (version: number): void => {
      const data = folder.at(`pipelines/..v${version}`);
      mkdirSync(data, { recursive: true });
      writeFileSync(join(data, "a.yaml"), saying("a", `w${version}`));
      symlinkSync(`..v${version}`, folder.at("pipelines/..data_tmp"));
      renameSync(folder.at("pipelines/..data_tmp"), folder.at("pipelines/..data"));
      if (version > 0) rmSync(folder.at(`pipelines/..v${version - 1}`), { recursive: true });
    };
    mount(0);
    symlinkSync("..data/a.yaml", folder.at("pipelines/a.yaml"));
    const pipelines = await folder.start(patient);
    for (const number of [1, 2, 3]) {
      mount(number);
      await folder.next("switched", ({ generation }) => generation.number === number + 1);
      expect(await said(pipelines, "a")).toBe(`w${number}`);
    }
    await isQuiet(folder, pipelines);
    expect(folder.count("switched")).toBe(4);
    expect(folder.count("failed")).toBe(0);
  });

  it("as a checkout writes many files: changed, new and removed ones", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
    const folder = new LiveFolder(Object.fromEntries(names.map((name) => [`pipelines/${name}.yaml`, saying(name, "old")])));
    const pipelines = await folder.start(options);
    for (const name of names.slice(0, 8)) {
      rmSync(folder.at(`pipelines/${name}.yaml`));
      folder.write(`pipelines/${name}.yaml`, saying(name, "new"));
    }
    for (const name of names.slice(10)) rmSync(folder.at(`pipelines/${name}.yaml`));
    folder.write("pipelines/more/p20.yaml", saying("p20", "new"));
    for (const name of names.slice(0, 8)) await folder.next("switched", ({ pipeline, generation }) => pipeline === name && generation.number === 2);
    await folder.next("switched", ({ pipeline }) => pipeline === "p20");
    for (const name of names.slice(10)) await folder.next("removed", ({ pipeline }) => pipeline === name);
    expect(pipelines.names).toEqual([...names.slice(0, 10), "p20"].sort());
    for (const name of names.slice(0, 10)) expect(await said(pipelines, name)).toBe(names.indexOf(name) < 8 ? "new" : "old");
    await isQuiet(folder, pipelines);
    expect(folder.count("switched")).toBe(12 + 8 + 1);
    expect(folder.count("failed")).toBe(0);
  });

  it("keeps what serves while the folder is away, and goes on when it is back", async () => {
    const folder = new LiveFolder({ "pipelines/a.yaml": saying("a", "w0") });
    const pipelines = await folder.start(options);
    renameSync(folder.at("pipelines"), folder.at("elsewhere"));
    await folder.next("failed");
    expect(await said(pipelines, "a")).toBe("w0");
    renameSync(folder.at("elsewhere"), folder.at("pipelines"));
    await folder.next("recovered");
    folder.write("pipelines/a.yaml", saying("a", "w1"));
    await folder.next("switched", ({ generation }) => generation.number === 2);
    expect(await said(pipelines, "a")).toBe("w1");
    expect(folder.count("failed")).toBe(1);
  });

  it("right after the start", async () => {
    const folder = new LiveFolder({ "pipelines/a.yaml": saying("a", "w0") });
    const pipelines = await folder.start(options);
    folder.write("pipelines/a.yaml", saying("a", "w1"));
    await folder.next("switched", ({ generation }) => generation.number === 2);
    expect(await said(pipelines, "a")).toBe("w1");
  });

  it("not where the content is the same, or where the file is none of theirs", async () => {
    const folder = new LiveFolder({ "pipelines/a.yaml": saying("a", "w0"), "pipelines/b.yaml": saying("b", "w0") });
    const pipelines = await folder.start(options);
    writeFileSync(folder.at("pipelines/a.yaml"), readFileSync(folder.at("pipelines/a.yaml")));
    folder.write("pipelines/notes.txt", "nothing");
    folder.write("pipelines/compose.yaml", "services: {}\n");
    folder.write("pipelines/.hidden/c.yaml", saying("c", "hidden"));
    // A change after them has been noticed, so they have been looked at as well.
    folder.write("pipelines/b.yaml", saying("b", "w1"));
    await folder.next("switched", ({ pipeline, generation }) => pipeline === "b" && generation.number === 2);
    await isQuiet(folder, pipelines);
    expect(pipelines.names).toEqual(["a", "b"]);
    expect(pipelines.get("a").generation?.number).toBe(1);
    expect(folder.count("switched")).toBe(3);
  });

  it("of an empty file as a mistake, and of its repair", async () => {
    const folder = new LiveFolder({ "pipelines/a.yaml": saying("a", "w0") });
    const pipelines = await folder.start(options);
    folder.write("pipelines/a.yaml", "");
    const { error, serving } = await folder.next("failed");
    expect(error.code).toBe("PIPELINE_INVALID");
    expect(serving?.number).toBe(1);
    expect(await said(pipelines, "a")).toBe("w0");
    folder.write("pipelines/a.yaml", saying("a", "w0"));
    await folder.next("recovered");
    expect(pipelines.status().pipelines[0]).toMatchObject({ error: undefined, generation: { number: 1 } });
    expect(folder.count("switched")).toBe(1);
  });
});

/** Whatever is still to be noticed is noticed by a look of our own, which must find nothing new. */
async function isQuiet(folder: LiveFolder, pipelines: LivePipelines): Promise<void> {
  const before = folder.count("switched");
  await pipelines.reload();
  expect(folder.count("switched")).toBe(before);
}
