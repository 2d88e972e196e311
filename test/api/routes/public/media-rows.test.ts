import { expect, test } from "vitest";
import { request } from "../../../support/agent.ts";
import { publishFiles } from "../../../support/published-files.ts";
import { openService } from "../../../support/service.ts";

const TABLE = "Übersicht 1.csv";
const FILES: Record<string, string> = {
  [TABLE]: `station,height_m\n${Array.from({ length: 700 }, (_, n) => `S${n},${n / 10}`).join("\n")}\nLast,\n`,
  "list.json": '[{"a":1,"2020":12345678901234567890},{"a":[1,{"b":null}]},{"c":"x"}]',
  "two.json": '{"one":[{"a":1}],"two":[{"b":2}],"note":"x"}',
  "wide.csv": `${Array.from({ length: 130 }, (_, n) => `c${n}`)}\n${Array.from({ length: 130 }, (_, n) => n)}\n`,
  "plain.json": '{"note":"x"}',
  "big.json": `[${Array.from({ length: 40 }, (_, n) => `{"text":"${String(n).padStart(200, "x")}"}`).join(",")}]`,
};

const service = await openService({
  workers: false,
  limits: { jsonTableBytes: 5_000, rowsResponseBytes: 2_000, rowsPerMinute: 500 },
});
const { agent, ids } = await publishFiles(service, FILES);

const rows = async (file: string, query = "") => {
  const reply = await request(service, { method: "GET", url: `/media/${ids[file]}/rows?${query}` });
  return reply;
};

test("rows come in parts, filtered and from either end", async () => {
  const first = (await rows(TABLE, "limit=2&columns[]=height_m")).json.data;
  expect(first).toMatchObject({
    columns: ["height_m"],
    rows: [["0"], ["0.1"]],
    returned: 2,
    matched: 701,
    total: 701,
    next_offset: 2,
  });
  const end = (await rows(TABLE, "from=end&limit=1")).json.data;
  expect([end.rows, end.next_offset]).toEqual([[["Last", null]], 1]);
  const query = "filter[0][column]=height_m&filter[0][op]=gte&filter[0][value]=69.8&offset=1";
  const filtered = (await rows(TABLE, query)).json.data;
  expect(filtered).toMatchObject({ rows: [["S699", "69.9"]], matched: 2, total: 701, next_offset: null });
  const blank = (await rows(TABLE, "filter[0][column]=height_m&filter[0][op]=eq")).json.data;
  expect(blank.rows).toEqual([["Last", null]]);
});

test("a limit beyond what an answer has is cut, and the answer says so", async () => {
  const ask = async (path: string) => (await request(service, { method: "GET", url: path })).json;
  const cut = { limit: 500, limit_asked: 9_999 };
  const table = `/media/${ids[TABLE]}`;
  const question = encodeURIComponent('{"sort": [{"column": "height_m"}], "limit": 9999}');
  for (const path of ["rows?limit=9999", "query?limit=9999", `query?question=${question}`]) {
    expect([path, (await ask(`${table}/${path}`)).meta]).toEqual([path, cut]);
  }
  expect((await ask(`${table}/diff?base=${ids[TABLE]}&limit=9999`)).meta).toEqual(cut);
  for (const path of ["rows", "rows?limit=500", "query?limit=3", "query?question={}"]) {
    expect([path, "meta" in (await ask(`${table}/${path}`))]).toEqual([path, false]);
  }
});

test("columns that an answer leaves out are counted, where nobody named those that it has", async () => {
  const ask = async (path: string) =>
    (await request(service, { method: "GET", url: `/media/${ids["wide.csv"]}/${path}` })).json.data;
  for (const path of ["rows", "query", "query?sort[0][column]=c129"]) {
    const data = await ask(path);
    expect([path, data.columns.length, data.rows[0].length, data.columns_left_out]).toEqual([
      path,
      100,
      100,
      30,
    ]);
  }
  for (const path of ["rows?columns[]=c129", "query?columns[]=c129", "query?group[0][column]=c1"])
    expect([path, "columns_left_out" in (await ask(path))]).toEqual([path, false]);
});

test("a question mark belongs to the value that it stands in", async () => {
  const { data } = (await rows("list.json", "filter[0][column]=c&filter[0][op]=eq&filter[0][value]=x?")).json;
  expect([data.matched, data.total]).toEqual([0, 3]);
});

test("a creation's JSON gives rows_url only where the file can be read in part", async () => {
  const addressOf = async (slug: string) => {
    const reply = await request(service, { method: "GET", url: `/@${agent.handle}/${slug}.json` });
    return reply.json.data.files[0].rows_url;
  };
  expect(await addressOf("ubersicht-1-csv")).toMatch(/\/rows$/);
  expect(await addressOf("two-json")).toMatch(/\/rows$/);
  expect(await addressOf("big-json")).toBeNull();
  expect(await addressOf("plain-json")).toBeNull();
});

test("the limit is cut to the maximum and an answer to its size, never to nothing", async () => {
  const cut = (await rows(TABLE, "limit=100000")).json.data;
  expect(cut.returned).toBe(cut.rows.length);
  expect(cut.returned).toBeGreaterThan(0);
  expect(cut.returned).toBeLessThan(500);
  expect(cut.next_offset).toBe(cut.returned);
});

test("JSON values come as they were written, digit by digit", async () => {
  const reply = await rows("list.json");
  expect(reply.text).toContain("12345678901234567890");
  expect(reply.json.data.columns).toEqual(["a", "2020", "c"]);
  expect(reply.json.data.rows[1]).toEqual([[1, { b: null }], null, null]);
});

test.each([
  ["plain.json", "", 409, "not_tabular"],
  ["two.json", "", 409, "table_required"],
  ["big.json", "", 409, "too_large_to_read"],
  ["two.json", "table=one", 200, undefined],
  ["two.json", "table=none", 422, "validation_failed"],
  [TABLE, "table=one", 422, "validation_failed"],
  [TABLE, "columns[]=none", 422, "validation_failed"],
  [TABLE, "limit=0", 422, "validation_failed"],
  [TABLE, "filter[__proto__][column]=station", 422, "validation_failed"],
  [TABLE, "limit=%FF", 422, "validation_failed"],
])("%s with %s is %d %s, and so is an export", async (file, query, status, code) => {
  const replies = [
    await rows(file, query),
    await askAll(file, "csv", query),
    await askAll(file, "ndjson", query),
  ];
  for (const reply of replies) {
    expect([reply.status, reply.json?.code]).toEqual([status, code]);
    expect(reply.headers["access-control-allow-origin"]).toBe("*");
  }
});

const askAll = (file: string, form: "csv" | "ndjson", query = "") =>
  request(service, { method: "GET", url: `/media/${ids[file]}/rows/all.${form}?${query}` });

test("all rows come at once, as CSV or as objects, beyond the limits of a page", async () => {
  const csv = await askAll(TABLE, "csv");
  expect(csv.text).toBe(`${FILES[TABLE]?.replaceAll("\n", "\r\n")}`);
  const objects = (await askAll(TABLE, "ndjson")).text.trimEnd().split("\n");
  expect(objects).toHaveLength(701);
  expect(JSON.parse(objects[700] ?? "")).toEqual({ station: "Last", height_m: null });
});

test("the answer is a download", async () => {
  const { headers } = await askAll(TABLE, "csv");
  expect(headers["content-type"]).toBe("text/csv; charset=utf-8; header=present");
  expect(headers["content-disposition"]).toBe(
    `attachment; filename="_bersicht 1-r1.csv"; filename*=UTF-8''%C3%9Cbersicht%201-r1.csv`,
  );
  expect(headers["ratelimit-policy"]).toBe('"rows";q=500;w=60');
  expect((await askAll(TABLE, "ndjson")).headers["content-type"]).toBe("application/x-ndjson; charset=utf-8");
});

test("offset, limit, from, columns and conditions hold, the limit without its cap", async () => {
  const query = "filter[0][column]=height_m&filter[0][op]=gte&filter[0][value]=10&columns[]=height_m";
  const lines = (await askAll(TABLE, "csv", `${query}&offset=1&limit=590&from=end`)).text.split("\r\n");
  expect([lines.length, lines[0], lines[1], lines[590], lines[591]]).toEqual([
    592,
    "height_m",
    "69.8",
    "10.9",
    "",
  ]);
  expect((await askAll(TABLE, "ndjson", "offset=700")).text).toBe('{"station":"Last","height_m":null}\n');
});

test("JSON values come as they were written, keys in the order of the columns", async () => {
  expect((await askAll("list.json", "ndjson")).text).toBe(
    '{"a":1,"2020":12345678901234567890,"c":null}\n{"a":[1,{"b":null}],"2020":null,"c":null}\n{"a":null,"2020":null,"c":"x"}\n',
  );
  expect((await askAll("two.json", "csv", "table=two")).text).toBe("b\r\n2\r\n");
});

test("the same question has the same ETag, and another question another one", async () => {
  const [first, again, other] = [
    await askAll(TABLE, "csv"),
    await askAll(TABLE, "csv"),
    await askAll(TABLE, "csv", "limit=2"),
  ];
  expect(first.headers.etag).toBe(again.headers.etag);
  expect(first.headers.etag).not.toBe(other.headers.etag);
});
