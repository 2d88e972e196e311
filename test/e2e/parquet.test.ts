import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { parquetMetadata } from "hyparquet";
import { afterAll, expect, test } from "vitest";
import { makeNextParquet } from "../../shared/datasets/parquet/make-parquet.ts";
import { orderBehindVerdict } from "../../shared/datasets/uploads/inspect-upload.ts";
import { enqueueLostWork } from "../../shared/platform/pending-work/enqueue-lost-work.ts";
import { openThreads } from "../../shared/platform/threads/open.ts";
import { inspectFile } from "../../shared/tables/inspection/inspect.ts";
import { openServiceOfRun } from "../support/real-service.ts";
import { until } from "../support/service-process.ts";
import { storeFiles } from "../support/stored-files.ts";
import { runSql } from "../support/tables.ts";

const ROWS = 200_000;

const service = await openServiceOfRun();
const { filesUrl } = service.deps.config;
const threads = openThreads({
  filesUrl,
  maxThreads: 1,
  inspectTimeoutMs: 60_000,
  rowsTimeoutMs: 60_000,
  memoryMb: 512,
});
afterAll(() => threads.close());

/** Whether a file is being written. */
const isWriting = async () =>
  (await readdir(join(service.dataDir, "files", "tmp")).catch(() => [])).length > 0;

async function listStored(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of service.deps.files.list()) keys.push(key);
  return keys.sort();
}

async function storeTable(): Promise<string> {
  const lines = Array.from({ length: ROWS }, (_, row) => `${row},${(row * 7919) % 1_000_003}.5,gauge ${row}`);
  const text = `id,height,name\n${lines.join("\n")}\n`;
  const [id = ""] = await storeFiles(service.deps, [text]);
  const verdict = await inspectFile(
    (async function* () {
      yield Buffer.from(text);
    })(),
    "csv",
  );
  if (!verdict.ok) throw new Error(verdict.reason);
  await runSql(
    service,
    "UPDATE assets SET kind = 'dataset', readiness = 'ready', inspection = $2, tables = '[]' WHERE id = $1",
    [id, verdict.inspectionJson],
  );
  return id;
}

test("a worker that is killed on the way leaves no file, and an order that the next one fulfils", {
  timeout: 360_000,
}, async () => {
  const id = await storeTable();
  const before = await listStored();
  await orderBehindVerdict(service.deps, id);
  const worker = await service.startWorkers(["inspect"]);
  await until(isWriting, 90_000);
  worker.child.kill("SIGKILL");
  await worker.ended;
  expect(await listStored()).toEqual(before);
  expect(await runSql(service, "SELECT 1 FROM parquet_files")).toEqual([]);
  const [order] = await runSql(service, "SELECT begun_at IS NOT NULL AS begun, attempt FROM pending_work");
  expect(order).toEqual({ begun: true, attempt: 1 });
  // The engine hands the job on after ten seconds, and the order is free soon after: here is what comes then.
  await runSql(service, "UPDATE pending_work SET run_at = run_at - interval '30 seconds'");
  expect((await enqueueLostWork(service.deps, "inspect")).ordered_parquet).toBe(1);
  await makeNextParquet(service.deps, threads, id);
  const [made] = await runSql(service, "SELECT file_id, bytes::integer AS bytes FROM parquet_files");
  const chunks: Uint8Array[] = [];
  for await (const chunk of service.deps.files.get(made.file_id)) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  expect(bytes.length).toBe(made.bytes);
  expect(Number(parquetMetadata(Uint8Array.from(bytes).buffer).num_rows)).toBe(ROWS);
  expect(await service.deps.files.discardUnfinished(Date.now() + 1_000)).toBe(1);
});
