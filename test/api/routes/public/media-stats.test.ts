import { expect, test } from "vitest";
import { JOBS } from "../../../../workers/jobs.ts";
import { type Json, publishNew, request } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { publishFiles } from "../../../support/published-files.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";

const FILES: Record<string, string> = {
  "table.csv": "station,height_m\nBremen,4.12\nHusum,\nBremen,3.90\n",
  "days.csv": "day,n\n2026-11-20,4\n2026-11-21,7\n2026-11-22,7\n",
  "list.json": '[{"n":12345678901234567890},{"n":2}]',
  "two.json": '{"one":[{"a":1}],"two":[{"b":2},{"b":"x"}],"note":"x"}',
  "plain.json": '{"note":"x"}',
  "empty.csv": "a,b\n",
  "wide.csv": `${Array.from({ length: 320 }, (_, at) => `c${at}`)}\n${Array.from({ length: 320 }, () => "a")}\n`,
  "large.json": `[${Array.from({ length: 40 }, (_, n) => `{"text":"${String(n).padStart(200, "x")}"}`).join(",")}]`,
};

const service = await openService({ workers: false, limits: { jsonTableBytes: 5_000, rowsPerMinute: 300 } });
const { agent, ids } = await publishFiles(service, FILES);

const ask = (file: string, query = "", more: object = {}) =>
  request(service, { method: "GET", url: `/media/${ids[file]}/stats?${query}`, ...more });

const measureNow = (id: string | undefined) =>
  JOBS["measure-asset"](
    service,
    { asset_id: id ?? "", attempt: 1 },
    {
      id: "by-hand",
      attempt: 1,
      signal: new AbortController().signal,
    },
  );

const findStored = async (file: string) =>
  (await runSql(service, "SELECT stats FROM assets WHERE id = $1", [ids[file]]))[0]?.stats;

test("a table's columns are told with what is in them, and the answer is what the interface promises", async () => {
  const reply = await ask("table.csv");
  expect(reply.json.data).toMatchObject({ table: null, row_count: 3, columns_left_out: 0 });
  expect(reply.json.data.columns[0]).toMatchObject({
    name: "station",
    count: 3,
    distinct: 2,
    top_values: [
      { value: "Bremen", count: 2 },
      { value: "Husum", count: 1 },
    ],
  });
  expect(reply.json.data.columns[1]).toMatchObject({ blanks: 1, min: 3.9, max: 4.12, mean: 4.01 });
  expect(reply.headers["ratelimit-policy"]).toBe('"rows";q=300;w=60');
});

test("numbers keep the digits of the file", async () => {
  expect((await ask("list.json")).text).toContain('"max":12345678901234567890,');
});

test("the job makes them after the file is ready, and again changes nothing", async () => {
  const { id } = await uploadReady(service, agent, "later.csv", "a\n1\n");
  const enqueued = await runSql(service, "SELECT data FROM pgboss.job WHERE name = 'measure-asset'");
  expect(enqueued.map((row) => row.data.asset_id)).toContain(id);
  ids.later = id;
  expect(await findStored("later")).toBeNull();
  await measureNow(id);
  const stored = await findStored("later");
  expect(stored[0].columns[0]).toMatchObject({ name: "a", count: 1 });
  await measureNow(id);
  expect(await findStored("later")).toEqual(stored);
});

test("statistics of an older version are as good as none: the next reader and the job make them anew", async () => {
  const old = JSON.stringify([{ table: null, row_count: 0, columns: [], columns_left_out: 0 }]);
  const age = "UPDATE assets SET stats = $2, stats_version = stats_version - 1 WHERE id = $1";
  const anew = (await ask("table.csv")).text;
  await runSql(service, age, [ids["table.csv"], old]);
  expect((await ask("table.csv")).text).toBe(anew);
  await runSql(service, age, [ids["table.csv"], old]);
  await measureNow(ids["table.csv"]);
  expect((await findStored("table.csv"))[0]).toMatchObject({ row_count: 3 });
});

test("whole numbers and dates are counted between whole numbers and days", async () => {
  const reply = await ask("days.csv");
  expect(reply.json.data.columns.map((column: Json) => column.histogram)).toEqual([
    { from: "2026-11-20", to: "2026-11-23", unit: "day", counts: [1, 1, 1] },
    { from: 4, to: 8, counts: [1, 0, 0, 2] },
  ]);
});

test("the job leaves texts, unknown files and files without a table alone", async () => {
  const text = await uploadReady(service, agent, "notes.txt", "hello");
  ids.text = text.id;
  await measureNow(text.id);
  await measureNow(ids["plain.json"]);
  await measureNow("01ARZ3NDEKTSV4RRFFQ69G5FAV");
  expect([await findStored("text"), await findStored("plain.json")]).toEqual([null, null]);
});

test("a file that has none, or was inspected before there were any, is measured when it is asked for, once", async () => {
  await runSql(service, "UPDATE assets SET stats = NULL, reading_index = NULL WHERE id = $1", [
    ids["two.json"],
  ]);
  const replies = await Promise.all([1, 2, 3].map(() => ask("two.json", "table=two")));
  expect(new Set(replies.map((reply) => reply.text)).size).toBe(1);
  expect(replies[0]?.json.data).toMatchObject({ table: "two", row_count: 2, columns: [{ type: "mixed" }] });
  expect(await findStored("two.json")).toHaveLength(2);
});

test("a JSON table that is too large to read in part has statistics, and a wide one says what is left out", async () => {
  expect((await ask("large.json")).json.data.columns[0]).toMatchObject({ distinct: 40 });
  const wide = (await ask("wide.csv")).json.data;
  expect([wide.columns.length, wide.columns_left_out]).toEqual([300, 20]);
  expect((await ask("empty.csv")).json.data).toMatchObject({ row_count: 0, columns: [{ count: 0 }, {}] });
});

test.each([
  ["plain.json", "", 409, "not_tabular"],
  ["two.json", "", 409, "table_required"],
  ["two.json", "table=none", 422, "validation_failed"],
  ["table.csv", "table=one", 422, "validation_failed"],
])("%s with %s is %d %s", async (file, query, status, code) => {
  const reply = await ask(file, query);
  expect([reply.status, reply.json.code]).toEqual([status, code]);
});

/** What the DuckDB of "Use this data" reads each column of a file as, before and after the file was measured. */
async function readTypes(content: string, missing: string[] = []) {
  const asset = await uploadReady(service, agent, "long.csv", content);
  const columns = ["id", "n"].map((name) => ({ name, missing_values: missing }));
  const dictionary = missing.length === 0 ? {} : { dictionary: { columns } };
  const attachments = [{ asset_id: asset.id, label: "long", ...dictionary }];
  const work = await publishNew(agent, { type: "dataset", payload: { title: "Long", attachments } });
  const url = `${new URL(work.public_url).pathname}/files/1`;
  const read = async () => {
    const { text } = await request(service, { method: "GET", url });
    const code = text.replaceAll("&#39;", "'").replaceAll("&quot;", '"');
    return [
      ["id", "n"].map((name) => new RegExp(`'${name}': '(\\w+)'`).exec(code)?.[1]),
      /NULLIF\("(\w+)", [^)]*\) AS DOUBLE/.exec(code)?.[1],
    ];
  };
  const before = await read();
  await request(service, { method: "GET", url: `/media/${asset.id}/stats` });
  return [before, await read()];
}

test("a column of whole numbers over 2^53 is read as text, and so is one that is not measured yet", async () => {
  const types = await readTypes("id,n\n9007199254740993,1\n-5,2e300\n");
  expect(types).toEqual([
    [["VARCHAR", "VARCHAR"], undefined],
    [["VARCHAR", "DOUBLE"], undefined],
  ]);
});

test("so is a column that is one of numbers without its missing values", async () => {
  const types = await readTypes("id,n\n9007199254740993,NA\nNA,5\n", ["NA"]);
  const both = [["VARCHAR", "VARCHAR"], "n"];
  expect(types).toEqual([both, both]);
});
