import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isRuntimeError } from "../../../src/runtime/runtime-error.ts";
import { PermissionDeniedError } from "../../../src/runtime/sandbox/permission-denied-error.ts";
import { Sandbox, type SandboxCommand } from "../../../src/runtime/sandbox/sandbox.ts";

let folder: string;
let workspace: string;
let outside: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "ditto-sandbox-")));
  workspace = join(folder, "workspace");
  outside = join(folder, "outside");
  await mkdir(workspace);
  await mkdir(outside);
  await writeFile(join(outside, "secret.txt"), "secret");
});
afterEach(() => rm(folder, { recursive: true }));

const files = () => new Sandbox(workspace, { read: true, write: true });

describe("Sandbox", () => {
  it("denies by default", () => {
    const sandbox = new Sandbox(workspace);
    for (const kind of ["read", "write", "execute", "tools", "mcp", "skills", "network"] as const) {
      expect(sandbox.allows(kind, "x")).toBe(false);
      expect(() => sandbox.assert(kind, "x")).toThrow(PermissionDeniedError);
    }
  });

  it("is frozen at construction, its policy too", () => {
    const network = ["https://api.example.com"];
    const policy = { read: false, network };
    const sandbox = new Sandbox(workspace, policy);
    network.push("*");
    policy.read = true;
    expect(Object.isFrozen(sandbox) && Object.isFrozen(sandbox.policy) && Object.isFrozen(sandbox.policy.network)).toBe(true);
    expect([sandbox.allows("network", "https://other.example.com"), sandbox.allows("read", "x")]).toEqual([false, false]);
  });

  it("compares exact names, and takes * for any", () => {
    const sandbox = new Sandbox(workspace, { network: ["https://api.example.com"], tools: ["*"], execute: true });
    expect(sandbox.allows("network", "https://api.example.com")).toBe(true);
    expect(sandbox.allows("network", "https://api.example.com:8443")).toBe(false);
    expect(sandbox.allows("network", "http://api.example.com")).toBe(false);
    expect(sandbox.allows("tools", "anything")).toBe(true);
    expect(sandbox.allows("skills", "anything")).toBe(false);
    expect(sandbox.allows("execute", "ls")).toBe(true);
    expect(sandbox.allows("constructor" as "read", "x")).toBe(false);
  });

  it("throws PermissionDeniedError, which tells what was asked for", () => {
    const denied = (() => {
      try {
        return new Sandbox(workspace).assert("network", "https://api.example.com");
      } catch (error) {
        return error;
      }
    })();
    expect(isRuntimeError(denied)).toBe(true);
    expect(denied).toMatchObject({ code: "PERMISSION_DENIED", kind: "network", target: "https://api.example.com" });
  });
});

describe("readText and writeText", () => {
  it("need their permission", async () => {
    await expect(new Sandbox(workspace, { write: true }).readText("a.txt")).rejects.toBeInstanceOf(PermissionDeniedError);
    await expect(new Sandbox(workspace, { read: true }).writeText("a.txt", "x")).rejects.toBeInstanceOf(PermissionDeniedError);
  });

  it("work in the workspace, relative and absolute, and make missing folders", async () => {
    const sandbox = files();
    await sandbox.writeText("new/folder/a.txt", "long text");
    await sandbox.writeText(join(workspace, "new/folder/a.txt"), "héllo");
    expect(await sandbox.readText("new/../new/folder/a.txt")).toBe("héllo");
    await expect(sandbox.readText("none.txt")).rejects.toMatchObject({ code: "ENOENT" });
  });

  it.each(["../outside/secret.txt", "a/../../outside/secret.txt", "/etc/hostname", ".", ""])("refuse the path %j", async (path) => {
    await expect(files().readText(path)).rejects.toBeInstanceOf(PermissionDeniedError);
    await expect(files().writeText(path, "x")).rejects.toBeInstanceOf(PermissionDeniedError);
  });

  it("takes names that only look like leaving", async () => {
    await files().writeText("..a/..b", "x");
    expect(await files().readText("..a/..b")).toBe("x");
  });

  it("refuse symlinks that leave the workspace: files, folders, and those whose end is missing", async () => {
    await symlink(join(outside, "secret.txt"), join(workspace, "file"));
    await symlink(outside, join(workspace, "folder"));
    await symlink(join(outside, "new"), join(workspace, "dangling"));
    for (const path of ["file", "folder/secret.txt", "folder/new/deep.txt", "folder/new.txt", "dangling", "dangling/deep.txt"]) {
      await expect(files().writeText(path, "changed")).rejects.toBeInstanceOf(PermissionDeniedError);
    }
    for (const path of ["file", "folder/secret.txt", "dangling"]) {
      await expect(files().readText(path)).rejects.toBeInstanceOf(PermissionDeniedError);
    }
    expect(await readFile(join(outside, "secret.txt"), "utf8")).toBe("secret");
    expect(await readdir(outside)).toEqual(["secret.txt"]);
  });

  it("follow symlinks that stay inside, and a workspace that is one itself", async () => {
    await writeFile(join(workspace, "real.txt"), "real");
    await symlink("real.txt", join(workspace, "link.txt"));
    await files().writeText("link.txt", "through");
    expect(await files().readText("real.txt")).toBe("through");
    await symlink(workspace, join(folder, "alias"));
    expect(await new Sandbox(join(folder, "alias"), { read: true }).readText("link.txt")).toBe("through");
  });

  it("refuse what is no plain file, without waiting for it", async () => {
    await mkdir(join(workspace, "folder"));
    await expect(files().readText("folder")).rejects.toBeInstanceOf(PermissionDeniedError);
    if (spawnSync("mkfifo", [join(workspace, "pipe")]).status === 0) {
      await expect(files().readText("pipe")).rejects.toBeInstanceOf(PermissionDeniedError);
    }
  });
});

describe("execute", () => {
  it("hands an allowed command to the executor, in the workspace", async () => {
    const commands: SandboxCommand[] = [];
    const sandbox = new Sandbox(workspace, { execute: true }, async (command) => {
      commands.push(command);
      return { exitCode: 0, stdout: "out", stderr: "" };
    });
    expect(await sandbox.execute("ls", { args: ["-l"] })).toEqual({ exitCode: 0, stdout: "out", stderr: "" });
    expect(commands).toEqual([{ command: "ls", args: ["-l"], cwd: workspace, signal: undefined }]);
  });

  it("is denied without permission, and unavailable without an executor", async () => {
    await expect(new Sandbox(workspace, {}, async () => ({ exitCode: 0, stdout: "", stderr: "" })).execute("ls")).rejects.toBeInstanceOf(PermissionDeniedError);
    await expect(new Sandbox(workspace, { execute: true }).execute("ls")).rejects.toMatchObject({ code: "EXECUTOR_UNAVAILABLE" });
  });
});
