import { once } from "node:events";
import { readlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { setPriority } from "node:os";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { Client } from "pg";

// node busy-server.ts FILE DATABASE_URL: a bare route that answers with a file's bytes after one statement. /busy begins
// two threads that compute without a pause, at the niceness of those that answer questions, and /idle ends them: what
// such threads cost a reader here is the operating system's part alone.
const THREADS = 2;
const NICENESS = 10;

if (isMainThread) await serve(process.argv[2] ?? "", process.argv[3] ?? "");
else compute();

async function serve(file: string, databaseUrl: string): Promise<void> {
  const body = await readFile(file);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  let threads: Worker[] = [];
  const work = async (count: number) => {
    await Promise.all(threads.map((thread) => thread.terminate()));
    threads = Array.from({ length: count }, () => new Worker(import.meta.filename));
    await Promise.all(threads.map((thread) => once(thread, "message")));
  };
  const server = createServer(async ({ url }, response) => {
    if (url === "/busy") await work(THREADS);
    else if (url === "/idle") await work(0);
    else await client.query({ name: "version", text: "SELECT $1::int", values: [1] });
    response.end(body);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  console.log(
    JSON.stringify({ msg: "bare listening", port: typeof address === "object" ? address?.port : 0 }),
  );
}

function compute(): void {
  // Linux has a priority for each thread, by its own number.
  setPriority(Number(readlinkSync("/proc/thread-self").split("/").at(-1)), NICENESS);
  parentPort?.postMessage("computes");
  for (let n = 0; ; n++) Math.sqrt(n);
}
