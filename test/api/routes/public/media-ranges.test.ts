import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { Agent, request as fetchWith, interceptors } from "undici";
import { expect, test } from "vitest";
import { request } from "../../../support/agent.ts";
import { openFolder } from "../../../support/close-afterwards.ts";
import { runs } from "../../../support/depth.ts";
import { publishFiles } from "../../../support/published-files.ts";
import { openService } from "../../../support/service.ts";

const run = promisify(execFile);

const NAME = "readings.csv";
const TEXT = `station,height_m\n${Array.from({ length: 20_000 }, (_, n) => `Süd${n},${n / 10}`).join("\n")}\n`;
const BYTES = Buffer.from(TEXT);
const SIZE = BYTES.length;

const service = await openService({ workers: false });
const { agent, ids } = await publishFiles(service, { [NAME]: TEXT });
const root = await service.app.listen({ host: "127.0.0.1", port: 0 });
const url = `${root}/media/${ids[NAME]}/${NAME}`;
const etag = String((await ask({})).headers.etag);

async function ask(headers: Record<string, string>, method: "GET" | "HEAD" = "GET") {
  const { pathname } = new URL(url);
  const {
    statusCode: status,
    headers: answered,
    rawPayload,
  } = await service.app.inject({ url: pathname, headers, method });
  return { status, headers: answered, bytes: rawPayload };
}

test("random ranges are those bytes of the file", async () => {
  const position = fc.oneof(fc.nat(SIZE + 20), fc.nat(20), fc.integer({ min: SIZE - 20, max: SIZE + 20 }));
  const asked = fc.oneof(
    fc.tuple(position, position).map(([a, b]) => ({
      range: `${Math.min(a, b)}-${Math.max(a, b)}`,
      start: Math.min(a, b),
      end: Math.max(a, b),
    })),
    position.map((start) => ({ range: `${start}-`, start, end: SIZE })),
    position.map((count) => ({ range: `-${count}`, start: Math.max(0, SIZE - count), end: SIZE })),
  );
  const property = fc.asyncProperty(asked, async ({ range, start, end }) => {
    const answer = await ask({ range: `bytes=${range}` });
    if (start >= SIZE) {
      expect([range, answer.status]).toEqual([range, 416]);
      return;
    }
    const part = BYTES.subarray(start, end + 1);
    expect([range, answer.status, answer.bytes.equals(part)]).toEqual([range, 206, true]);
    expect(answer.headers).toMatchObject({
      "content-range": `bytes ${start}-${start + part.length - 1}/${SIZE}`,
      "content-length": String(part.length),
      "accept-ranges": "bytes",
      etag,
    });
  });
  await fc.assert(property, { numRuns: runs(2_000) });
});

test.each([
  ["several ranges", "bytes=0-1,4-5"],
  ["another unit", "lines=0-1"],
  ["a range that ends before it begins", "bytes=5-2"],
  ["no range", "bytes=-"],
  ["words", "bytes=first-last"],
])("%s get the whole file", async (_name, range) => {
  const { status, headers, bytes } = await ask({ range });
  expect([status, bytes.equals(BYTES), headers["content-range"]]).toEqual([200, true, undefined]);
});

test("a range behind the last byte is refused with the size of the file", async () => {
  for (const range of [`bytes=${SIZE}-`, "bytes=-0", "bytes=99999999999999999999-"]) {
    const { status, headers, bytes } = await ask({ range });
    expect([range, status, headers["content-range"]]).toEqual([range, 416, `bytes */${SIZE}`]);
    expect(JSON.parse(bytes.toString()).message).toContain(`has ${SIZE} bytes`);
    expect(headers["access-control-allow-origin"]).toBe("*");
  }
});

test("If-Range with the ETag gives the range, and with anything else the whole file", async () => {
  const range = "bytes=2-5";
  expect((await ask({ range, "if-range": etag })).bytes.toString()).toBe("atio");
  for (const other of [`W/${etag}`, '"other"', new Date().toUTCString()]) {
    expect([other, (await ask({ range, "if-range": other })).status]).toEqual([other, 200]);
  }
});

test("whoever has the file gets 304, whatever range is asked, and HEAD the whole file's headers", async () => {
  const known = await ask({ range: "bytes=2-5", "if-none-match": etag });
  expect([known.status, known.bytes.length]).toEqual([304, 0]);
  const head = await ask({ range: "bytes=2-5" }, "HEAD");
  expect([head.status, head.headers["content-length"], head.headers["accept-ranges"]]).toEqual([
    200,
    String(SIZE),
    "bytes",
  ]);
});

test("a range is never packed", async () => {
  const headers = { range: "bytes=2-5", "accept-encoding": "gzip, zstd" };
  const part = await ask(headers);
  expect([part.status, part.headers["content-encoding"], part.bytes.toString()]).toEqual([
    206,
    undefined,
    "atio",
  ]);
  const packed = await ask({ ...headers, "accept-encoding": "gzip, identity;q=0" });
  expect([packed.status, packed.headers["content-encoding"]]).toEqual([200, "gzip"]);
});

test("the store is asked for the range alone", async () => {
  const { files } = service.deps;
  const { scan } = files;
  const ranges: unknown[] = [];
  files.scan = (key, range, options) => {
    ranges.push(range);
    return scan(key, range, options);
  };
  await ask({ range: "bytes=7-90" });
  files.scan = scan;
  expect(ranges).toEqual([{ start: 7, end: 90 }]);
});

test("curl continues a broken download, and takes a range", async () => {
  const folder = await openFolder();
  const path = join(folder, NAME);
  await writeFile(path, BYTES.subarray(0, 100_001));
  await run("curl", ["-sS", "-C", "-", "-o", path, url]);
  expect((await readFile(path)).equals(BYTES)).toBe(true);
  const { stdout } = await run("curl", ["-sS", "-r", "-7", url]);
  expect(stdout).toBe(BYTES.subarray(-7).toString());
});

test("undici reads a range, and goes on where a connection broke off", async () => {
  const part = await fetchWith(url, { headers: { range: "bytes=3-12" } });
  expect([part.statusCode, await part.body.text()]).toEqual([206, TEXT.slice(3, 13)]);
  const dispatcher = new Agent().compose(interceptors.retry({ minTimeout: 1 }));
  const { files } = service.deps;
  const { scan } = files;
  files.scan = async function* fail(key, range, options) {
    files.scan = scan;
    for await (const piece of scan(key, range, options)) {
      yield piece.subarray(0, 1_000);
      throw new Error("broken off");
    }
  };
  const whole = await fetchWith(url, { dispatcher });
  expect(Buffer.from(await whole.body.arrayBuffer()).equals(BYTES)).toBe(true);
  await dispatcher.close();
});

/** How often the reading of a stored file has begun since the last `reads = 0`. */
let reads = 0;

const { files } = service.deps;
const scan = files.scan.bind(files);
files.scan = async function* count(...asked) {
  reads += 1;
  yield* scan(...asked);
};

/** Every address that sends a stored file. */
const DOWNLOADS: [name: string, url: () => string][] = [
  ["a published file", () => `/media/${ids[NAME]}/${NAME}`],
  ["an agent's own file", () => `/api/v1/assets/${ids[NAME]}/content`],
];

test.each(DOWNLOADS)(
  "HEAD of %s has the headers of GET, and no byte of the file is read",
  async (_name, url) => {
    const headers = { authorization: `Bearer ${agent.token}` };
    reads = 0;
    const whole = await request(service, { method: "GET", url: url(), headers });
    expect([whole.status, whole.text === TEXT]).toEqual([200, true]);
    expect(reads).toBe(1);
    reads = 0;
    const head = await request(service, { method: "HEAD", url: url(), headers });
    // What a server reads for nobody it reads after its answer.
    await request(service, { method: "GET", url: "/api/v1/topics" });
    expect([head.status, head.text, reads]).toEqual([200, "", 0]);
    for (const name of ["content-length", "content-type", "content-disposition", "etag", "cache-control"]) {
      expect([name, head.headers[name]]).toEqual([name, whole.headers[name]]);
    }
    expect(head.headers["content-length"]).toBe(String(Buffer.byteLength(TEXT)));
  },
);
