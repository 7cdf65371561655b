/** Names of resources, targets, strategies and branches. */
export const namePattern: "^[a-z][a-z0-9_-]*$" = "^[a-z][a-z0-9_-]*$";

/** Names that expressions read: graph nodes, `vars`, `fields`. Words that are reserved in expressions are refused by the check of names. */
export const identifierPattern: "^[A-Za-z_][A-Za-z0-9_]*$" = "^[A-Za-z_][A-Za-z0-9_]*$";

/** The name of a node that a worker serves. */
const nodeNamePattern: "^[A-Z][A-Z0-9_-]*(?:\\.[A-Z][A-Z0-9_-]*)+$" = "^[A-Z][A-Z0-9_-]*(?:\\.[A-Z][A-Z0-9_-]*)+$";

/** The name of a table on a server. */
const tableNamePattern: "^[a-z_][a-z0-9_]*$" = "^[a-z_][a-z0-9_]*$";

/** What diagnostics say in place of a pattern: "... must be" and this. */
export const patternMeanings: Readonly<Record<string, string>> = {
  [namePattern]: 'a name of lower-case letters, digits, "_" and "-" that begins with a letter',
  [identifierPattern]: 'a name of letters, digits and "_" that does not begin with a digit',
  [tableNamePattern]: 'a name of lower-case letters, digits and "_" that does not begin with a digit',
  [nodeNamePattern]: "the name of a node, such as MEMORY.SEARCH",
};
