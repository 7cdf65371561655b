/** 1xx: reading. */
export const readingDiagnostics = {
  DITTO101: {
    severity: "error",
    title: "Not readable as YAML",
    sentence: "<problem>",
  },
  DITTO102: {
    severity: "error",
    title: "Key written twice",
    sentence: 'the key "<key>" is written twice in one mapping',
  },
  DITTO103: {
    severity: "error",
    title: "Unknown tag",
    sentence: "the tag <tag> is not known",
  },
  DITTO104: {
    severity: "error",
    title: "Directive not allowed",
    sentence: "the directive <directive> is not allowed",
  },
  DITTO105: {
    severity: "error",
    title: "Several documents",
    sentence: "a file holds one document, and here a second one begins",
  },
  DITTO106: {
    severity: "error",
    title: "Key that is no string",
    sentence: "a key must be a string, and this is <found>",
  },
  DITTO107: {
    severity: "error",
    title: "Forbidden key",
    sentence: 'the key "<key>" is forbidden',
  },
  DITTO108: {
    severity: "error",
    title: "Tab as indentation",
    sentence: "a tab cannot indent",
  },
  DITTO109: {
    severity: "error",
    title: "Number too large to be exact",
    sentence: "<number> cannot be held exactly",
  },
  DITTO110: {
    severity: "error",
    title: "Too many aliases",
    sentence: "aliases are expanded more than <limit> times",
  },
  DITTO111: {
    severity: "error",
    title: "Empty file",
    sentence: "the file is empty",
  },
  DITTO112: {
    severity: "error",
    title: "Expression cut by YAML",
    sentence: "YAML would read this expression differently: <reason>",
  },
  DITTO113: {
    severity: "error",
    title: "Unknown alias",
    sentence: 'no anchor "<name>" stands before this alias',
  },
  DITTO114: {
    severity: "error",
    title: "Nested too deep",
    sentence: "nested deeper than <limit> levels",
  },
  DITTO115: {
    severity: "error",
    title: "Number that JSON cannot hold",
    sentence: "<number> is no JSON number",
  },
  DITTO116: {
    severity: "error",
    title: "File that cannot be read",
    sentence: 'the file "<path>" cannot be read: <reason>',
  },
  DITTO117: {
    severity: "error",
    title: "Files that include each other",
    sentence: "these files include each other: <cycle>",
  },
  DITTO118: {
    severity: "error",
    title: "Name declared in two files",
    sentence: '<section> "<name>" is also declared in <other>',
  },
  DITTO119: {
    severity: "error",
    title: "Not UTF-8",
    sentence: "the file is not UTF-8 text",
  },
} as const;
