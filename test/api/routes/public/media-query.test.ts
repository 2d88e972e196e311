import { describe, expect, test } from "vitest";
import { request } from "../../../support/agent.ts";
import { publishFiles } from "../../../support/published-files.ts";
import { openService } from "../../../support/service.ts";

const CITIES = ["Bremen", "Husum", "Bremen", ""];
const FILES: Record<string, string> = {
  "prices.csv": `city,price,day\n${Array.from(
    { length: 1_200 },
    (_, n) => `${CITIES[n % 4]},${n === 7 ? "NA" : `0.${n % 10}`},2026-0${1 + (n % 9)}-15`,
  ).join("\n")}\n`,
  "two.json": '{"one":[{"a":1},{"a":2}],"two":[{"b":2}],"note":"x"}',
  "note.csv": "a\n1\n",
  "plain.json": '{"note":"x"}',
};
const TABLE = "prices.csv";

const service = await openService({ workers: false, limits: { queriesPerMinute: 500 } });
const { ids } = await publishFiles(service, FILES);

const ask = (file: string, query: string) =>
  request(service, { method: "GET", url: `/media/${ids[file]}/query?${query}` });
const askExport = (form: string, query: string) =>
  request(service, { method: "GET", url: `/media/${ids[TABLE]}/query/all.${form}?${query}` });
const asQuestion = (question: object) => `question=${encodeURIComponent(JSON.stringify(question))}`;

const GROUPED = {
  group: [{ column: "city" }],
  aggregate: [{ op: "count" }, { op: "sum", column: "price" }],
  blank: ["NA"],
};

describe("a question", () => {
  test("is answered with exact sums of groups, blank cells as a group of their own", async () => {
    const { status, json, headers } = await ask(TABLE, asQuestion({ ...GROUPED, facet: ["city"] }));
    expect(status).toBe(200);
    expect(json.data).toMatchObject({
      asset_id: ids[TABLE],
      table: null,
      columns: ["city", "count", "sum_price"],
      rows: [
        ["Bremen", 600, 240],
        ["Husum", 300, 150],
        [null, 300, 149.3],
      ],
      matched: 1_200,
      groups: 3,
      total: 1_200,
      next_offset: null,
      facets: [{ column: "city", distinct: 2, blanks: 300, others: 0 }],
    });
    expect(headers["ratelimit-policy"]).toBe('"queries";q=500;w=60');
  });

  test("asked by parameters, as JSON and in its canonical form is one question with one ETag", async () => {
    const parameters =
      "group[0][column]=city&aggregate[3][op]=count&aggregate[5][op]=sum&aggregate[5][column]=price&blank[]=NA&limit=100";
    const [first, second] = [await ask(TABLE, parameters), await ask(TABLE, asQuestion(GROUPED))];
    expect(second.text).toBe(first.text);
    const third = await ask(TABLE, asQuestion(first.json.data.question));
    expect([third.headers.etag, third.text]).toEqual([first.headers.etag, first.text]);
    expect(second.headers.etag).toBe(first.headers.etag);
  });

  test("with conditions alone has the rows of the rows reader, page by page", async () => {
    const query = "filter[0][column]=price&filter[0][op]=gte&filter[0][value]=0.7&limit=200&columns[]=price";
    const rows = await request(service, { method: "GET", url: `/media/${ids[TABLE]}/rows?${query}` });
    const answer = await ask(TABLE, query);
    const { columns, returned, matched, total, next_offset } = answer.json.data;
    const shared = { columns, rows: answer.json.data.rows, returned, matched, total, next_offset };
    expect(rows.json.data).toMatchObject(shared);
  });

  test("that sorts has the same rows in pages and in an export", async () => {
    const sort = [{ column: "price", order: "desc" }, { column: "day" }];
    const joined: unknown[] = [];
    for (const offset of [0, 500, 1_000])
      joined.push(...(await ask(TABLE, asQuestion({ sort, limit: 500, offset }))).json.data.rows);
    const lines = (await askExport("ndjson", asQuestion({ sort }))).text.trimEnd().split("\n");
    expect(lines.map((line) => Object.values(JSON.parse(line)))).toEqual(joined);
  });

  test("about one list of a document names it", async () => {
    const { json } = await ask("two.json", "table=one&aggregate[0][op]=avg&aggregate[0][column]=a");
    expect(json.data).toMatchObject({
      table: "one",
      columns: ["avg_a"],
      rows: [[1.5]],
      groups: null,
      total: 2,
    });
  });
});

test.each<[string, string, number, string, string[]]>([
  ["plain.json", "", 409, "not_tabular", []],
  ["two.json", "", 409, "table_required", []],
  ["two.json", "table=none", 422, "validation_failed", ["table"]],
  [TABLE, "sort[0][column]=prize&limit=0", 422, "validation_failed", ["limit", "sort.0.column"]],
  [TABLE, "question={&limit=1", 422, "validation_failed", ["question"]],
  [
    "note.csv",
    "having[0][column]=count&having[0][op]=gt&having[0][value]=1",
    422,
    "validation_failed",
    ["having", "having.0.column"],
  ],
  // What the mended group or aggregate will have is sorted by rightly.
  [
    TABLE,
    "group[0][column]=city&aggregate[0][op]=summ&aggregate[0][column]=price&sort[0][column]=sum_price",
    422,
    "validation_failed",
    ["aggregate.0.op"],
  ],
  [
    TABLE,
    "group[0][colum]=city&sort[0][column]=city&having[0][column]=count&having[0][op]=gt&having[0][value]=1",
    422,
    "validation_failed",
    ["group.0.colum", "group.0.column"],
  ],
])("%s with %s is %d %s", async (file, query, status, code, fields) => {
  const reply = await ask(file, query);
  expect([reply.status, reply.json.code]).toEqual([status, code]);
  expect(Object.keys(reply.json.errors).toSorted()).toEqual(fields);
  expect(reply.headers["access-control-allow-origin"]).toBe("*");
});

test("a cell that cannot be added is refused by its column, row and text", async () => {
  const { status, json } = await ask(TABLE, "aggregate[0][op]=sum&aggregate[0][column]=price");
  expect([status, json.errors]).toEqual([
    422,
    { "aggregate.0.column": ['Column "price", row 9: "NA" is no number. Leave it out with blank[]=NA.'] },
  ]);
});

describe("an export", () => {
  test("has the whole result, as CSV and as objects", async () => {
    const csv = await askExport("csv", asQuestion(GROUPED));
    expect([csv.status, csv.text]).toEqual([
      200,
      "city,count,sum_price\r\nBremen,600,240\r\nHusum,300,150\r\n,300,149.3\r\n",
    ]);
    expect(csv.headers).toMatchObject({
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": `attachment; filename="prices-r1-query.csv"; filename*=UTF-8''prices-r1-query.csv`,
    });
    const objects = await askExport("ndjson", asQuestion({ ...GROUPED, limit: 1 }));
    expect(objects.text).toBe('{"city":"Bremen","count":600,"sum_price":240}\n');
  });

  test("takes no facets", async () => {
    const { status, json } = await askExport("csv", "facet[]=city");
    expect([status, Object.keys(json.errors)]).toEqual([422, ["facet"]]);
  });
});
