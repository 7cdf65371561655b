import { CollectionFault } from "../sql/collection-fault.ts";

/** What of the SDK is used by value. */
export type Driver = Pick<typeof import("@zilliz/milvus2-sdk-node"), "MilvusClient">;

/**
 * Imports the SDK, which is there only for those who use it.
 *
 * @throws CollectionFault `database` When it is not installed.
 */
export async function loadDriver(): Promise<Driver> {
  try {
    return await import("@zilliz/milvus2-sdk-node");
  } catch (cause) {
    const message = 'The plugin "milvus" needs the package "@zilliz/milvus2-sdk-node", which is not installed: npm install @zilliz/milvus2-sdk-node';
    throw new CollectionFault("database", message, { cause });
  }
}
