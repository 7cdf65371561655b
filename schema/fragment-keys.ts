/** All that a file may have which is there for others to include: it needs no version and no name. */
export const fragmentKeys: readonly string[] = ["description", "include", "vars", "resources", "targets"];
