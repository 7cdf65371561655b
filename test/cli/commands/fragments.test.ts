import { expect, test } from "vitest";
import { ditto, folderWith } from "../support/ditto.ts";

const shared = `resources:
  db: { sqlite: { file: ":memory:" } }
  kb: { sqlite.collection: { database: db } }
`;
const whole = `version: 1
name: whole
include: [shared/kb.yaml]
targets: { kb: { strategies: { keyword: { text: { collection: kb } } } } }
`;

test("a file that others include needs no version and no name", async () => {
  const cwd = folderWith({ "whole.yaml": whole, "shared/kb.yaml": shared });
  const { code, stderr } = await ditto(["validate", "."], { cwd });
  expect([code, stderr]).toEqual([0, "2 files checked: nothing to report\n"]);
});

test("a mistake in it is told once, and a file that nobody includes needs both", async () => {
  const cwd = folderWith({ "whole.yaml": whole, "shared/kb.yaml": shared.replace("database", "databse"), "alone/kb.yaml": shared });
  const { stdout } = await ditto(["validate", ".", "--format", "json"], { cwd });
  const found = (JSON.parse(stdout) as readonly { code: string; file: string }[]).map(({ code, file }) => `${file} ${code}`);
  expect(found).toEqual(["alone/kb.yaml DITTO203", "alone/kb.yaml DITTO203", "shared/kb.yaml DITTO204"]);
});

test("where a first project cannot be written, the command line is wrong", async () => {
  const cwd = folderWith({ "file.txt": "" });
  const { code, stderr } = await ditto(["init", "file.txt/project"], { cwd });
  expect([code, stderr]).toEqual([2, expect.stringContaining("a file stands where a folder should be (ENOTDIR)")]);
});
