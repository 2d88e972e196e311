import { once } from "node:events";
import { readFileSync, readlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { setPriority } from "node:os";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { Client } from "pg";

// node busy-server.ts PAGE DATABASE_URL TABLE: a bare route that answers with a page's bytes after one statement, and
// /query, which reads a table plainly in one of two threads at the niceness of those that answer questions. What such
// questions cost a reader here is the machine's part: two cores that compute, and memory that is taken and given back.
const THREADS = 2;
const NICENESS = 10;

if (isMainThread) await serve(process.argv[2] ?? "", process.argv[3] ?? "", process.argv[4] ?? "");
else answerQuestions(String(workerData));

async function serve(page: string, databaseUrl: string, table: string): Promise<void> {
  const body = await readFile(page);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const ask = openThreads(table);
  const server = createServer(async ({ url }, response) => {
    if (url?.startsWith("/query")) return void response.end(await ask());
    await client.query({ name: "version", text: "SELECT $1::int", values: [1] });
    response.end(body);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  console.log(
    JSON.stringify({ msg: "bare listening", port: typeof address === "object" ? address?.port : 0 }),
  );
}

/** Opens the threads, each of which answers one question after the other. */
function openThreads(table: string): () => Promise<string> {
  const queue = Array.from({ length: THREADS }, () => {
    const thread = new Worker(import.meta.filename, { workerData: table });
    return { thread, free: Promise.resolve("") };
  });
  let turn = 0;
  return () => {
    const chosen = queue[turn++ % THREADS];
    if (chosen === undefined) throw new Error("there is no thread");
    chosen.free = chosen.free.then(async () => {
      chosen.thread.postMessage("ask");
      return String((await once(chosen.thread, "message"))[0]);
    });
    return chosen.free;
  };
}

function answerQuestions(table: string): void {
  // Linux has a priority for each thread, by its own number.
  setPriority(Number(readlinkSync("/proc/thread-self").split("/").at(-1)), NICENESS);
  const text = readFileSync(table, "utf8");
  parentPort?.on("message", () => {
    const counts = new Map<string, number>();
    for (const line of text.split("\n")) {
      const [first = ""] = line.split(",");
      counts.set(first, (counts.get(first) ?? 0) + 1);
    }
    parentPort?.postMessage(JSON.stringify([...counts].slice(0, 100)));
  });
}
