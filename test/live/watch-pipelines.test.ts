import { expect, it } from "vitest";
import { LiveFolder, said, saying } from "./live-folder.ts";

it("without being asked, nothing is watched", async () => {
  const folder = new LiveFolder({ "pipelines/a.yaml": saying("a", "old") });
  const pipelines = await folder.start();
  expect(process.getActiveResourcesInfo()).not.toContain("FSEventWrap");
  expect(pipelines.status().watching).toBe(false);
  folder.write("pipelines/a.yaml", saying("a", "new"));
  expect(await said(pipelines, "a")).toBe("old");
  await pipelines.reload();
  expect(await said(pipelines, "a")).toBe("new");
});
