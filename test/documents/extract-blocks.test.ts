import { describe, expect, it } from "vitest";
import { extractBlocks, extractFencedBlocks } from "./extract-blocks.ts";

const page = `Waiting rooms

Import nothing by hand. The room below is open:

import { open } from "rooms";

// Comments belong to what follows.
function enter(name: string) {
  const room = open(name);

  return room;
}
interface of prose is none of ours; function words neither.

query: (text) => text.split("}")
Prose right after code ends it.

rooms:
  wait:
    seats: 4 # one is broken

-- the seats
SELECT seat FROM rooms
ORDER BY seat

export const last = { open };`;

describe("extractBlocks", () => {
  it("finds every block of a page without fences, and where prose resumes", () => {
    const { blocks, missed } = extractBlocks(page);
    expect(missed).toEqual([]);
    expect(blocks.map(({ language, line }) => [language, line])).toEqual([
      ["typescript", 5],
      ["typescript", 15],
      ["yaml", 18],
      ["sql", 22],
      ["typescript", 26],
    ]);
    expect(blocks[0]?.code.split("\n")).toHaveLength(8);
    expect(blocks[1]?.code).toBe('query: (text) => text.split("}")');
    expect(blocks[3]?.code).toBe("-- the seats\nSELECT seat FROM rooms\nORDER BY seat");
  });

  it("tells of lines that look like code and stand in no block", () => {
    expect(extractBlocks("Prose.\n\nawait room.close();\n").missed).toEqual([3]);
  });
});

describe("extractFencedBlocks", () => {
  it("finds fenced blocks of known languages", () => {
    expect(extractFencedBlocks("# A\n\n```ts\nconst a = 1;\n```\n\n```text\nno\n```\n").blocks).toEqual([
      { language: "typescript", line: 4, code: "const a = 1;" },
    ]);
  });
});
