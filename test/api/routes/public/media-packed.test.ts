import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { request as fetchWith } from "undici";
import { expect, test } from "vitest";
import { publishFiles } from "../../../support/published-files.ts";
import { openService } from "../../../support/service.ts";

const TABLE = "readings.csv";
const FILES: Record<string, string> = {
  [TABLE]: `station,height_m\n${Array.from({ length: 40_000 }, (_, n) => `Süd${n},${n / 10}`).join("\n")}\n`,
  "list.json": '[{"a":1},{"a":2}]',
};
const UNPACK: Record<string, (bytes: Uint8Array) => Buffer> = { gzip: gunzipSync, zstd: zstdDecompressSync };

const service = await openService({ workers: false, limits: { rowsPerMinute: 500 } });
const { ids } = await publishFiles(service, FILES);
const root = await service.app.listen({ host: "127.0.0.1", port: 0 });

const download = (name: string) => `/media/${ids[name]}/${name}`;
const ADDRESSES: [name: string, url: () => string][] = [
  ["a CSV file", () => download(TABLE)],
  ["a JSON file", () => download("list.json")],
  ["an export as CSV", () => `/media/${ids[TABLE]}/rows/all.csv?limit=30000`],
  ["an export as NDJSON", () => `/media/${ids[TABLE]}/rows/all.ndjson`],
  ["an answer as CSV", () => `/media/${ids[TABLE]}/query/all.csv?columns[]=station`],
];

async function ask(url: string, headers: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") {
  const {
    statusCode: status,
    headers: answered,
    rawPayload,
  } = await service.app.inject({ url, headers, method });
  return { status, headers: answered, bytes: rawPayload };
}

test.each(ADDRESSES)("%s comes packed to a client that unpacks it", async (_name, address) => {
  const plain = await ask(address());
  expect([plain.status, plain.headers["content-encoding"], plain.headers.vary]).toEqual([
    200,
    undefined,
    "accept-encoding",
  ]);
  for (const coding of ["zstd", "gzip"]) {
    const asked = { "accept-encoding": coding };
    const packed = await ask(address(), asked);
    const { headers } = packed;
    expect([headers["content-encoding"], headers["content-length"], headers.vary]).toEqual([
      coding,
      undefined,
      "accept-encoding",
    ]);
    expect(headers["content-type"]).toBe(plain.headers["content-type"]);
    expect(headers.etag).toBe(String(plain.headers.etag).replace(/"$/, `-${coding}"`));
    expect(UNPACK[coding]?.(packed.bytes).equals(plain.bytes)).toBe(true);
    if (plain.bytes.length > 100_000) expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
    for (const known of [headers.etag, plain.headers.etag]) {
      const again = await ask(address(), { ...asked, "if-none-match": String(known) });
      expect([again.status, again.headers.etag, again.headers.vary]).toEqual([304, known, "accept-encoding"]);
    }
    const head = await ask(address(), asked, "HEAD");
    expect([head.status, head.bytes.length, head.headers.etag]).toEqual([200, 0, headers.etag]);
    const unable = await ask(address(), { "if-none-match": String(headers.etag) });
    expect([unable.status, unable.headers.etag]).toEqual([200, plain.headers.etag]);
  }
});

test.each([
  ["gzip, deflate, br, zstd", "zstd"],
  ["gzip;q=1, zstd;q=0.5", "gzip"],
  ["gzip;q=0.5, identity", undefined],
  ["*", "zstd"],
  ["zstd;q=0, *", "gzip"],
  ["identity;q=0, gzip;q=0.1", "gzip"],
  ["br, deflate", undefined],
  ["", undefined],
  ["*;q=0", undefined],
])("Accept-Encoding: %s is answered with %s", async (accepted, coding) => {
  const { status, headers } = await ask(download(TABLE), { "accept-encoding": accepted });
  expect([status, headers["content-encoding"]]).toEqual([200, coding]);
});

test("undici unpacks nothing by itself, and fetch does", async () => {
  const raw = await fetchWith(root + download(TABLE), { headers: { "accept-encoding": "zstd" } });
  expect(zstdDecompressSync(Buffer.from(await raw.body.arrayBuffer())).toString()).toBe(FILES[TABLE]);
  const whole = await fetch(root + download(TABLE), { headers: { "accept-encoding": "gzip" } });
  expect([whole.headers.get("content-encoding"), await whole.text()]).toEqual(["gzip", FILES[TABLE]]);
});

test("beyond 32 packed downloads whose readers take nothing, another one comes as it is", async () => {
  const { files } = service.deps;
  const { scan } = files;
  const opened: IncomingMessage[] = [];
  let isOver = false;
  // Each first piece is followed by none until the test is over, so that the answer stays open.
  files.scan = async function* hold(...asked) {
    for await (const piece of scan(...asked)) {
      yield piece;
      while (!isOver) await new Promise((resolve) => setTimeout(resolve, 5));
      return;
    }
  };
  const open = async () => {
    const asked = get(`${root}${download(TABLE)}`, { headers: { "accept-encoding": "gzip" }, agent: false });
    asked.on("error", () => undefined);
    asked.flushHeaders();
    const [answer] = await once(asked, "response");
    opened.push(answer);
    return answer.headers["content-encoding"];
  };
  try {
    const codings: unknown[] = [];
    for (let count = 0; count < 34; count++) codings.push(await open());
    expect(codings).toEqual([...Array.from({ length: 32 }, () => "gzip"), undefined, undefined]);
  } finally {
    isOver = true;
    files.scan = scan;
    for (const answer of opened) answer.destroy();
  }
});
