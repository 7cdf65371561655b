import { CollectionFault } from "../sql/collection-fault.ts";

/** What of mysql2 is used beyond its pools. */
export type Driver = Pick<typeof import("mysql2"), "createPool" | "createConnection">;

/**
 * Imports mysql2, which is there only for those who use it.
 *
 * @throws CollectionFault `database` When it is not installed.
 */
export async function loadDriver(): Promise<Driver> {
  try {
    return (await import("mysql2")).default as unknown as Driver;
  } catch (cause) {
    throw new CollectionFault("database", 'The plugin "mysql" needs the package "mysql2", which is not installed: npm install mysql2', { cause });
  }
}
