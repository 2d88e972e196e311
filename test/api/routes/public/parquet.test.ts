import { createHash } from "node:crypto";
import { asyncBufferFromUrl, parquetReadObjects } from "hyparquet";
import { expect, test } from "vitest";
import { findPublicParquet } from "../../../../shared/datasets/parquet/find-parquet.ts";
import { makeNextParquet, sweepParquet } from "../../../../shared/datasets/parquet/make-parquet.ts";
import { sweepAgedFiles } from "../../../../shared/datasets/uploads/discard-files.ts";
import { getOpenFile } from "../../../../shared/datasets/uploads/public-files.ts";
import { DAY_MS } from "../../../../shared/ground/times.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { enqueueLostWork } from "../../../../shared/platform/pending-work/enqueue-lost-work.ts";
import { runCreationCommand } from "../../../../shared/works/creations/take-down.ts";
import { publishNew, request } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { publishFiles } from "../../../support/published-files.ts";
import { openService } from "../../../support/service.ts";
import { listStoredFiles, runSql } from "../../../support/tables.ts";

const FILES: Record<string, string> = {
  "table.csv": "station,height_m,day\nBremen,4.12,2026-11-20\nHusum,,1969-12-31\n",
  "list.json": '[{"n":12345678901234567890},{"n":2}]',
  "two.json": '{"one":[{"a":1}],"it\'s & two":[{"b":2},{"b":"x"}],"note":"x"}',
  "plain.json": '{"note":"x"}',
  "bare.json": "[{},{}]",
  "large.csv": `a\n${"x".repeat(3_000)}\n`,
  "wide.csv": `${Array.from({ length: 2_001 }, (_, at) => at)}\n`,
  "early.csv": "a\n1\n",
  "late.csv": "a\n1\n",
  "asked.csv": "a\n1\n",
  "gone.csv": "a\n1\n",
  "raced.csv": "a\n1\n",
};

const service = await openService({ workers: false, limits: { rowsPerMinute: 300, queryBytes: 2_000 } });
const { agent, ids, creations } = await publishFiles(service, FILES);
const site = await service.app.listen({ port: 0, host: "127.0.0.1" });

const pathOf = (file: string, query = "") => `/media/${ids[file]}/rows/all.parquet${query}`;
const ask = (file: string, query = "", headers: Record<string, string> = {}) =>
  request(service, { method: "GET", url: pathOf(file, query), headers });
const make = (file: string) => makeNextParquet(service.deps, service.threads, ids[file] ?? "");
const download = async (file: string, query = "", headers: Record<string, string> = {}) => {
  const reply = await fetch(`${site}${pathOf(file, query)}`, { headers });
  return { reply, bytes: Buffer.from(await reply.arrayBuffer()) };
};
const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
const storedOf = async (file: string) =>
  (await runSql(service, "SELECT file_id FROM parquet_files WHERE asset_id = $1", [ids[file]])).map(
    ({ file_id }) => file_id,
  );

test("what a worker writes between the two questions of an answer is there, never refused", async () => {
  const file = await getOpenFile(service.deps, ids["raced.csv"] ?? "");
  const pool = new Proxy(service.deps.pool, {
    get(target, name) {
      const method = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return async (query: { sql?: string }, ...more: unknown[]) => {
        const found = await method.call(target, query, ...more);
        if (/parquet_(version|files)/.test(query.sql ?? "")) await make("raced.csv");
        return found;
      };
    },
  });
  const found = await findPublicParquet({ ...service.deps, pool }, file, new URLSearchParams());
  expect(found).toMatchObject({ ok: true, stored: { asset_id: ids["raced.csv"] } });
});

test("before it is made the answer is 503, and asking makes it come first", async () => {
  await runSql(service, "DELETE FROM pending_work");
  const early = await ask("early.csv");
  expect([early.status, early.json.code, early.headers["retry-after"]]).toEqual([503, "http_error", "2"]);
  expect(early.headers["access-control-allow-origin"]).toBe("*");
  const orders = await runSql(service, "SELECT subject, asked_at IS NOT NULL AS asked FROM pending_work");
  expect(orders).toEqual([{ subject: ids["early.csv"], asked: true }]);
  // The job of another file makes what is asked for before its own.
  await make("late.csv");
  expect((await ask("early.csv", "", { range: "bytes=0-3" })).status).toBe(206);
  expect(await runSql(service, "SELECT 1 FROM pending_work")).toEqual([]);
});

test("a file of before gets its Parquet by the sweep, a few at a time, and again where its job was lost", async () => {
  service.clock.nowMs += 10 * 60_000;
  expect(await sweepParquet(service.deps)).toBeGreaterThan(5);
  const waiting = (await runSql(service, "SELECT subject FROM pending_work")).length;
  expect(waiting).toBeLessThanOrEqual(10);
  expect(await sweepParquet(service.deps)).toBe(0);
  await runSql(service, "UPDATE pending_work SET begun_at = created_at, attempt = 1");
  expect((await enqueueLostWork(service.deps, "inspect")).ordered_parquet).toBe(0);
  service.clock.nowMs += 121_000;
  expect((await enqueueLostWork(service.deps, "inspect")).ordered_parquet).toBe(waiting);
  for (const file of Object.keys(FILES)) await make(file);
  expect(await runSql(service, "SELECT 1 FROM pending_work")).toEqual([]);
  expect(await sweepParquet(service.deps)).toBe(0);
});

test("the whole file has the headers of a public file, and its entity tag is its hash", async () => {
  const { reply, bytes } = await download("table.csv");
  const header = (name: string) => reply.headers.get(name);
  expect([reply.status, header("content-type")]).toEqual([200, "application/vnd.apache.parquet"]);
  expect(header("etag")).toBe(`"${sha256(bytes)}"`);
  expect([header("cache-control"), header("accept-ranges")]).toEqual(["public, max-age=60", "bytes"]);
  expect([header("access-control-allow-origin"), header("content-encoding")]).toEqual(["*", null]);
  expect(header("content-disposition")).toContain("table.parquet");
  const again = await ask("table.csv", "", { "if-none-match": header("etag") ?? "" });
  expect([again.status, again.headers["cache-control"]]).toEqual([304, "public, max-age=60"]);
  const packed = await download("table.csv", "", { "accept-encoding": "zstd, gzip" });
  expect(packed.reply.headers.get("content-encoding")).toBeNull();
  const head = await fetch(`${site}${pathOf("table.csv")}`, { method: "HEAD" });
  expect([head.status, head.headers.get("content-length")]).toEqual([200, String(bytes.length)]);
});

test("ranges are of the same bytes, and a reader of Parquet finds its rows by them", async () => {
  const { bytes, reply } = await download("table.csv");
  const etag = reply.headers.get("etag") ?? "";
  for (const [start, end] of [
    [0, 3],
    [7, 90],
    [bytes.length - 8, bytes.length - 1],
  ] as const) {
    const part = await download("table.csv", "", { range: `bytes=${start}-${end}`, "if-range": etag });
    expect(part.reply.status).toBe(206);
    expect(part.reply.headers.get("content-range")).toBe(`bytes ${start}-${end}/${bytes.length}`);
    expect(part.bytes.equals(bytes.subarray(start, end + 1))).toBe(true);
  }
  const past = await ask("table.csv", "", { range: `bytes=${bytes.length}-` });
  expect([past.status, past.headers["content-range"]]).toEqual([416, `bytes */${bytes.length}`]);
  const file = await asyncBufferFromUrl({ url: `${site}${pathOf("table.csv")}` });
  expect(await parquetReadObjects({ file })).toEqual([
    { station: "Bremen", height_m: 4.12, day: new Date("2026-11-20") },
    { station: "Husum", height_m: null, day: new Date("1969-12-31") },
  ]);
});

test("a list of several is named, and what is no table or too much is refused", async () => {
  const { bytes, reply } = await download("two.json", `?${new URLSearchParams({ table: "it's & two" })}`);
  expect(reply.headers.get("content-disposition")).toContain('filename="two-it\'s & two.parquet"');
  const buffer = Uint8Array.from(bytes).buffer;
  const file = {
    byteLength: buffer.byteLength,
    slice: (start: number, end?: number) => buffer.slice(start, end),
  };
  expect(await parquetReadObjects({ file })).toEqual([{ b: "2" }, { b: "x" }]);
  const refused = async (name: string, query = "") => {
    const { status, json } = await ask(name, query);
    return [status, json.code, ...Object.keys(json.errors ?? {})];
  };
  expect(await refused("two.json")).toEqual([409, "table_required"]);
  expect(await refused("two.json", "?table=three")).toEqual([422, "validation_failed", "table"]);
  expect(await refused("table.csv", "?table=x")).toEqual([422, "validation_failed", "table"]);
  expect(await refused("table.csv", "?limit=5&tabel=x")).toEqual([
    422,
    "validation_failed",
    "limit",
    "tabel",
  ]);
  expect(await refused("plain.json")).toEqual([409, "not_tabular"]);
  expect(await refused("bare.json")).toEqual([409, "not_tabular"]);
  expect(await refused("wide.csv")).toEqual([409, "too_large_to_read"]);
});

test("a file that was tried and not written is refused for good", async () => {
  await runSql(service, "DELETE FROM parquet_files WHERE asset_id = $1", [ids["late.csv"]]);
  const { status, json } = await ask("late.csv");
  expect([status, json.code]).toEqual([409, "too_large_to_read"]);
});

test("the public JSON, the page, Croissant and the page of the table name it, with the hash of its bytes", async () => {
  const { bytes } = await download("table.csv");
  const work = creations["table.csv"];
  const page = new URL(work.public_url).pathname;
  const json = await request(service, { method: "GET", url: `${page}.json` });
  const url = json.json.data.files[0].parquet_url;
  expect(new URL(url).pathname).toBe(pathOf("table.csv"));
  expect(Object.keys(json.json.data.files[0]).at(-6)).toBe("parquet_url");
  for (const [name, has] of [
    ["list.json", true],
    ["two.json", false],
    ["wide.csv", false],
    ["large.csv", true],
  ] as const) {
    const other = await request(service, {
      method: "GET",
      url: `${new URL(creations[name].public_url).pathname}.json`,
    });
    expect([name, other.json.data.files[0].parquet_url !== null]).toEqual([name, has]);
  }
  const text = async (path: string) => (await request(service, { method: "GET", url: path })).text;
  const data = JSON.parse(
    /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(await text(page))?.[1] ?? "{}",
  );
  expect(data.distribution).toContainEqual({
    "@type": "DataDownload",
    name: "table.csv, as Parquet",
    contentUrl: url,
    encodingFormat: "application/vnd.apache.parquet",
    contentSize: `${bytes.length} B`,
    sha256: sha256(bytes),
  });
  const croissant = JSON.parse(await text(`${page}/croissant.json`));
  expect(croissant.distribution).toContainEqual(
    expect.objectContaining({ contentUrl: url, sha256: sha256(bytes), contentSize: `${bytes.length} B` }),
  );
  expect(await text(`${page}/files/1`)).toContain(sha256(bytes));
});

test("documents leave it out until it is made, and then say so at once", async () => {
  const asset = await uploadReady(service, agent, "fresh.csv", "a\n5\n");
  ids["fresh.csv"] = asset.id;
  const payload = { title: "Fresh", attachments: [{ asset_id: asset.id, label: "fresh" }] };
  const work = await publishNew(agent, { type: "dataset", payload });
  const page = new URL(work.public_url).pathname;
  const get = () => request(service, { method: "GET", url: `${page}/croissant.json` });
  const before = await get();
  expect(before.text).not.toContain("parquet");
  expect((await get()).headers.etag).toBe(before.headers.etag);
  await make("fresh.csv");
  const after = await get();
  expect(after.text).toContain(sha256((await download("fresh.csv")).bytes));
  expect(after.headers.etag).not.toBe(before.headers.etag);
});

test("what is unpublished is missing with the next request, and what is deleted takes its bytes along", async () => {
  const [key = ""] = await storedOf("gone.csv");
  expect(await listStoredFiles(service, { withParquet: true })).toContain(key);
  await runCreationCommand(service.deps, COMMAND_LINE, creations["gone.csv"].id, "unpublish");
  expect((await ask("gone.csv")).status).toBe(404);
  service.clock.nowMs += 31 * DAY_MS;
  await sweepAgedFiles(service.deps);
  await runSql(service, "UPDATE assets SET file_deleted_at = now() WHERE id = $1", [ids["gone.csv"]]);
  expect(await sweepParquet(service.deps)).toBeGreaterThan(0);
  expect(await listStoredFiles(service, { withParquet: true })).not.toContain(key);
  const asset = await uploadReady(service, agent, "own.csv", "a\n5\n");
  ids["own.csv"] = asset.id;
  await make("own.csv");
  const [own = ""] = await storedOf("own.csv");
  expect(await listStoredFiles(service, { withParquet: true })).toContain(own);
  await agent.send("DELETE", `/assets/${asset.id}`, undefined, { key: null });
  expect(await storedOf("own.csv")).toEqual([]);
  expect(await listStoredFiles(service, { withParquet: true })).not.toContain(own);
});
