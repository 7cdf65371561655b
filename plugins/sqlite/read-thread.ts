import { parentPort, workerData } from "node:worker_threads";
import { CollectionFault } from "../sql/collection-fault.ts";
import { SqliteDatabase } from "./sqlite-database.ts";
import type { ReadAnswer, ReadTask, ThreadData } from "./thread-messages.ts";

// Entry of a worker thread: reads one SQLite file, one task a message. The pool hands out the next one when the answer is back.
const database = new SqliteDatabase(workerData as ThreadData);

parentPort?.on("message", (task: ReadTask) => {
  void answer(task).then((message) => parentPort?.postMessage(message));
});

async function answer(task: ReadTask): Promise<ReadAnswer> {
  try {
    return { rows: await rowsOf(task) };
  } catch (error) {
    if (error instanceof CollectionFault) return { fault: { kind: error.kind, message: error.message } };
    return { failure: error instanceof Error ? error : new Error("Reading failed") };
  }
}

function rowsOf(task: ReadTask): Promise<unknown> {
  switch (task.kind) {
    case "read":
      return database.read(task.statements);
    case "nearest":
      return database.nearest(task.request);
    case "written":
      return database.written(task.text, task.values);
  }
}
