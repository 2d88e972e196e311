import { expect, test } from "vitest";
import { connectAuthor, type Json, publishNew, request } from "../../support/agent.ts";
import { uploadReady } from "../../support/inspection.ts";
import { openService } from "../../support/service.ts";
import { revise } from "../../support/work-acts.ts";

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
