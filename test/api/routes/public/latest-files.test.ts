import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { connectAuthor, type Json, publish, publishNew, request } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { openService } from "../../../support/service.ts";
import { act, revise } from "../../../support/work-acts.ts";

const CSV = "station,height_m\nHusum,4.12\nBüsum,3.5\n";

const service = await openService();
const agent = await connectAuthor(service, { handle: "tidewatch" });
const asset = await uploadReady(service, agent, "readings.csv", CSV);
const payload = { title: "Readings", attachments: [{ asset_id: asset.id, label: "Readings" }] };
const work: Json = await publishNew(agent, { type: "dataset", payload });

const ask = (path: string) => request(service, { method: "GET", url: `/media/${asset.id}/${path}` });
const nameOf = async (path: string) =>
  /filename="([^"]+)"/.exec(String((await ask(path)).headers["content-disposition"]))?.[1];

const CONDITION = "filter[0][column]=height_m&filter[0][op]=gt&filter[0][value]=4";

test.each([
  ["rows/all.csv", "readings-r1.csv"],
  ["rows/all.ndjson", "readings-r1.ndjson"],
  ["rows/all.csv?from=end&limit=2&columns[]=height_m&columns[]=station", "readings-r1.csv"],
  [`rows/all.csv?${CONDITION}`, "readings-r1-filtered.csv"],
  ["rows/all.ndjson?offset=1", "readings-r1-filtered.ndjson"],
  ["rows/all.csv?limit=1", "readings-r1-filtered.csv"],
  ["rows/all.csv?columns[]=station", "readings-r1-filtered.csv"],
  ["query/all.csv?sort[0][column]=height_m", "readings-r1-query.csv"],
])("%s is saved as %s", async (path, name) => {
  expect(await nameOf(path)).toBe(name);
});

test("an export leads to its work and to its question in pages", async () => {
  const of = async (path: string) => String((await ask(path)).headers.link);
  const media = `http://localhost:3000/media/${asset.id}`;
  const page = `<http://localhost:3000/@tidewatch/${work.slug}>; rel="describedby"; type="text/html"`;
  expect(await of("rows/all.csv?bom=1")).toBe(`${page}, <${media}/rows>; rel="canonical"`);
  const [, rows = ""] = /, <([^>]+)>; rel="canonical"/.exec(await of(`rows/all.ndjson?${CONDITION}`)) ?? [];
  const [, query = ""] = /, <([^>]+)>; rel="canonical"/.exec(await of(`query/all.csv?${CONDITION}`)) ?? [];
  for (const url of [rows, query]) {
    const answer = await request(service, { method: "GET", url: url.slice("http://localhost:3000".length) });
    expect(answer.json.data.rows).toEqual([["Husum", "4.12"]]);
  }
});

test("bom=1 begins a CSV with a byte order mark, under an entity tag of its own", async () => {
  for (const path of ["rows/all.csv", "query/all.csv"]) {
    const [plain, marked] = [await ask(path), await ask(`${path}?bom=1`)];
    expect(marked.text).toBe(`\ufeff${plain.text}`);
    expect(marked.headers.etag).not.toBe(plain.headers.etag);
    for (const [query, fields] of [
      ["bom=yes&offset=x", ["bom", "offset"]],
      ["bom=1&bom=1", ["bom"]],
    ] as const) {
      const refused = await ask(`${path}?${query}`);
      expect([refused.status, Object.keys(refused.json.errors).sort()]).toEqual([422, fields]);
    }
  }
  for (const path of ["rows?bom=1", "rows/all.ndjson?bom=1", "query?bom=1", "query/all.ndjson?bom=1"])
    expect((await ask(path)).status, path).toBe(422);
});

test("rows say their conditions, their file and the revision, which is the live one that has the file", async () => {
  const { data } = (await ask(`rows?${CONDITION}`)).json;
  const filter = [{ column: "height_m", op: "gt", value: "4" }];
  expect(data).toMatchObject({ filter, content_sha256: asset.content_sha256, revision_number: 1 });
  const blank = "filter[0][column]=station&filter[0][op]=eq";
  expect((await ask(`rows?${blank}`)).json.data.filter).toEqual([{ column: "station", op: "eq" }]);
  expect((await ask("rows")).json.data.filter).toEqual([]);
  const change = { change_summary: "Another title", payload: { ...payload, title: "Heights" } };
  await revise(agent, work, change);
  expect((await ask("rows")).json.data.revision_number).toBe(2);
  expect(await nameOf("rows/all.csv")).toBe("readings-r2.csv");
});

const csv = ["day,text", ...Array.from({ length: 450 }, (_, n) => `${n},${"w".repeat(2_000)}`)].join("\n");
const large = await uploadReady(service, agent, "levels.csv", `${csv}\n`);
const levels = { title: "Levels", attachments: [{ asset_id: large.id, label: "Levels of the day" }] };
await publishNew(agent, { slug: "levels", type: "dataset", payload: levels });
const rows = `/media/${large.id}/rows`;

// Small ones are read by the process, large ones and those with conditions by a thread: of the stored file, then of memory.
test.each([
  ["limit=1", 1],
  ["limit=100", 100],
  ["limit=450", 450],
  ["limit=450", 450],
  ["limit=450&from=end", 450],
  ["limit=450&filter[0][column]=day&filter[0][op]=gte&filter[0][value]=0", 450],
  ["limit=2&filter[0][column]=day&filter[0][op]=gte&filter[0][value]=440", 2],
])("the ETag of %s is the hash of its bytes, and 304 answers it", async (query, count) => {
  const { status, text, headers } = await request(service, { method: "GET", url: `${rows}?${query}` });
  expect([status, JSON.parse(text).data.returned]).toEqual([200, count]);
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 32);
  expect(headers.etag).toBe(`"${hash}"`);
  const known = { "if-none-match": String(headers.etag) };
  const again = await request(service, { method: "GET", url: `${rows}?${query}`, headers: known });
  expect([again.status, again.text]).toEqual([304, ""]);
});

const upload = async (name: string, content: string) => (await uploadReady(service, agent, name, content)).id;
const [oldest, list] = [await upload("a.csv", "a,b\n1,2\n"), await upload("b.json", '[{"a":1}]')];

const payloadOf = (newest: string): Json => ({
  title: "Readings",
  attachments: [newest, list].map((asset_id, at) => ({ asset_id, label: `File ${at + 1}` })),
});
const twoFiles: Json = await publishNew(agent, { type: "dataset", payload: payloadOf(oldest) });
const page = `/@tidewatch/${twoFiles.slug}`;
const read = (url: string, method: "GET" | "OPTIONS" = "GET") => request(service, { method, url });

test("a data file of a work has an address that leads to the bytes of the live revision", async () => {
  const site = "http://localhost:3000";
  const { files } = (await read(`${page}.json`)).json.data;
  expect(files.map(({ latest_url }: Json) => latest_url)).toEqual([
    `${site}${page}/files/1.csv`,
    `${site}${page}/files/2.json`,
  ]);
  const first = await read(`${page}/files/1.csv`);
  expect([first.status, first.headers.location]).toEqual([307, `${site}/media/${oldest}/a.csv`]);
  expect(first.headers).toMatchObject({ "cache-control": "no-cache", "access-control-allow-origin": "*" });
  expect(first.headers["x-robots-tag"]).toBeUndefined();
  expect((await read(`${page}/files/2.json`)).headers.location).toBe(`${site}/media/${list}/b.json`);
  expect((await read(`${page}/files/1.parquet`)).headers.location).toBe(
    `${site}/media/${oldest}/rows/all.parquet`,
  );
  expect((await read(`${page}/files/1.csv`, "OPTIONS")).status).toBe(204);
  expect((await read(page)).text).toContain(`${site}${page}/files/1.csv`);
  const newer = await upload("c.csv", "a,b\n3,4\n");
  const change = { change_summary: "More", payload: payloadOf(newer) };
  const saved = await agent.send("PATCH", `/creations/${twoFiles.id}`, change, {
    ifMatch: twoFiles.lock_version,
  });
  expect((await read(`${page}/files/1.csv`)).headers.location).toBe(`${site}/media/${oldest}/a.csv`);
  await publish(agent, saved.json.data);
  expect((await read(`${page}/files/1.csv`)).headers.location).toBe(`${site}/media/${newer}/c.csv`);
  const past = (await read(`${page}/revisions/1.json`)).json.data;
  expect(past.files.map(({ latest_url }: Json) => latest_url)).toEqual([null, null]);
});

test("another ending, place or work is not found; an unlisted one is for no search engine", async () => {
  for (const name of ["1.json", "2.csv", "3.csv", "0.csv", "01.csv", "x.csv", "1.txt"])
    expect((await read(`${page}/files/${name}`)).status, name).toBe(404);
  expect((await read("/@tidewatch/nothing/files/1.csv")).status).toBe(404);
  await act(agent, twoFiles, "visibility", { visibility: "unlisted" });
  expect((await read(`${page}/files/1.csv`)).headers["x-robots-tag"]).toBe("noindex");
});
