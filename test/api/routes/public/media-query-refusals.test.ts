import { expect, test } from "vitest";
import { request } from "../../../support/agent.ts";
import { publishFiles } from "../../../support/published-files.ts";
import { openService } from "../../../support/service.ts";

// Questions that are refused: every fault of one at once, by its member, with the way to mend it.

const FILES: Record<string, string> = {
  "prices.csv": "city,price,day\nBremen,0.1,2026-01-15\nHusum,NA,2026-02-15\n",
  "two.json": '{"one":[{"a":1},{"a":2}],"two":[{"b":2}],"note":"x"}',
  "plain.json": '{"note":"x"}',
};

const service = await openService({ workers: false, limits: { queriesPerMinute: 500 } });
const { ids } = await publishFiles(service, FILES);

const ask = (file: string, query: string) =>
  request(service, { method: "GET", url: `/media/${ids[file]}/query?${query}` });

test("a cell that cannot be added is refused by its column, row and text", async () => {
  const { status, json } = await ask("prices.csv", "aggregate[0][op]=sum&aggregate[0][column]=price");
  expect([status, json.errors]).toEqual([
    422,
    { "aggregate.0.column": ['Column "price", row 3: "NA" is no number. Leave it out with blank[]=NA.'] },
  ]);
});

test.each<[string, string, number, string, string[]]>([
  ["plain.json", "", 409, "not_tabular", []],
  ["two.json", "", 409, "table_required", []],
  ["two.json", "table=none", 422, "validation_failed", ["table"]],
  [
    "prices.csv",
    "sort[0][column]=prize&sort[0][order]=down&limit=0",
    422,
    "validation_failed",
    ["limit", "sort.0.column", "sort.0.order"],
  ],
  ["prices.csv", "question={&limit=1", 422, "validation_failed", ["question"]],
  ["prices.csv", `q=${"x".repeat(8_200)}`, 422, "validation_failed", ["question"]],
  ["prices.csv", "group[0][column]=city&columns[]=city", 422, "validation_failed", ["columns"]],
  ["prices.csv", "group[0][column]=city&group[1][column]=city", 422, "validation_failed", ["group.1.column"]],
  ["prices.csv", "group[0][column]=price&group[0][step]=0", 422, "validation_failed", ["group.0.step"]],
  [
    "prices.csv",
    "group[0][column]=day&group[0][by]=day&group[0][step]=1",
    422,
    "validation_failed",
    ["group.0.step"],
  ],
  [
    "prices.csv",
    "having[0][column]=count&having[0][op]=gt&having[0][value]=1",
    422,
    "validation_failed",
    ["having", "having.0.column"],
  ],
  ["prices.csv", "filter[0][column]=price&filter[0][op]=gt", 422, "validation_failed", ["filter.0.value"]],
  [
    "prices.csv",
    "filter[0][columnn]=price",
    422,
    "validation_failed",
    ["filter.0.column", "filter.0.columnn", "filter.0.op"],
  ],
  [
    "prices.csv",
    "group[0][column]=city&aggregate[0][op]=count&aggregate[0][as]=city",
    422,
    "validation_failed",
    ["aggregate.0.as"],
  ],
  // What the mended group or aggregate will have is sorted by rightly.
  [
    "prices.csv",
    "group[0][column]=city&aggregate[0][op]=summ&aggregate[0][column]=price&sort[0][column]=sum_price",
    422,
    "validation_failed",
    ["aggregate.0.op"],
  ],
  [
    "prices.csv",
    "group[0][colum]=city&sort[0][column]=city&having[0][column]=count&having[0][op]=gt&having[0][value]=1",
    422,
    "validation_failed",
    ["group.0.colum", "group.0.column"],
  ],
])("%s with %s is %d %s", async (file, query, status, code, fields) => {
  const reply = await ask(file, query);
  expect([reply.status, reply.json.code]).toEqual([status, code]);
  if (status === 422) expect(Object.keys(reply.json.errors).toSorted()).toEqual(fields);
  expect(reply.headers["access-control-allow-origin"]).toBe("*");
});
