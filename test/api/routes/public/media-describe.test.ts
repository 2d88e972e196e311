import { expect, test } from "vitest";
import { type Json, publishNew, request } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { publishFiles } from "../../../support/published-files.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { call } from "../../mcp/rpc.ts";

const STATIONS = ["Husum", "Büsum", "List", ""];
const LONG = "<ä>".repeat(300);
const WIDE = Array.from({ length: 400 }, (_, at) => `column_${at}`);
const FILES: Record<string, string> = {
  "heights.csv": `day,station,height_m,note\n${Array.from(
    { length: 40 },
    (_, n) =>
      `2026-0${1 + (n % 9)}-15,${STATIONS[n % 4]},${n % 2 === 0 ? "" : `${n}.50`},${n === 0 ? LONG : n}`,
  ).join("\n")}\n`,
  "two.json":
    '{"one":[{"k":"a","n":12345678901234567891},{"k":"a","n":{"x":1.10}}],"two":[{"open":true},{"open":true}],"note":"x"}',
  "wide.csv": `${WIDE.join(",")}\n${WIDE.map(() => "a").join(",")}\n`,
  "names.csv": `${["__proto__", '"a""b"', "evil", "x".repeat(9_000)].join(",")}\n1,2,3,4\n`,
  "plain.json": '{"note":"x"}',
  "note.txt": "Words.\n",
};

const service = await openService({ workers: false, limits: { rowsPerMinute: 500 } });
const tables = Object.fromEntries(Object.entries(FILES).filter(([name]) => !name.endsWith(".txt")));
const { agent, ids, creations } = await publishFiles(service, tables);

const describeIt = async (args: object) => {
  const outcome = await call(service, undefined, "describe_dataset", args);
  expect(Buffer.byteLength(JSON.stringify(outcome.json))).toBeLessThanOrEqual(8_000);
  return outcome;
};
const describeFile = async (name: string, more: object = {}) =>
  (await describeIt({ asset_id: ids[name], ...more })).json.data;
const statsOf = async (name: string, query = "") =>
  (await request(service, { method: "GET", url: `/media/${ids[name]}/stats${query}` })).json.data;
const workOf = (creation: Json) => new URL(creation.public_url).pathname.slice(2).split("/");

test("a file is described by its hash, rows and columns, whose figures are those of the statistics", async () => {
  const data = await describeFile("heights.csv");
  const [file] = data.files;
  const [table] = file.tables;
  const stats = await statsOf("heights.csv");
  expect([data.creation, data.files_left_out, data.note]).toEqual([null, 0, undefined]);
  expect([file.license, file.freshness]).toEqual([null, null]);
  expect(file).toMatchObject({
    ...{ asset_id: ids["heights.csv"], filename: "heights.csv", format: "csv", tables_left_out: 0 },
    content_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    query_url: `http://localhost:3000/media/${ids["heights.csv"]}/query`,
  });
  expect(table).toMatchObject({ table: null, row_count: 40, columns_left_out: 0 });
  const brief = stats.columns.map(
    ({ name, type, count, blanks, missing, distinct, min, max, top_values }: Json) => {
      const cut = (value: unknown) => (value === `${LONG.slice(0, 100)}…` ? `${LONG.slice(0, 39)}…` : value);
      const top = top_values
        .slice(0, 3)
        .map(({ value, count: own }: Json) => ({ value: cut(value), count: own }));
      const figures = {
        name,
        type,
        count,
        blanks,
        missing,
        distinct,
        min: cut(min),
        max: cut(max),
        top_values: top,
      };
      return { ...figures, unit: null, description: null };
    },
  );
  expect(table.columns).toEqual(brief);
  expect(table.columns[2]).toMatchObject({ name: "height_m", count: 20, blanks: 20, min: 1.5, max: 39.5 });
});

test("the example question of every table is answered", async () => {
  const [csv] = (await describeFile("heights.csv")).files;
  expect(csv.tables[0].example_question).toEqual({
    group: [{ column: "station" }],
    aggregate: [{ op: "avg", column: "height_m" }],
  });
  const [json] = (await describeFile("two.json")).files;
  expect(json.tables.map(({ table, example_question }: Json) => [table, example_question])).toEqual([
    ["one", { table: "one", group: [{ column: "k" }] }],
    ["two", { table: "two", group: [{ column: "open" }] }],
  ]);
  for (const [name, file] of [
    ["heights.csv", csv],
    ["two.json", json],
  ] as const) {
    for (const { example_question } of file.tables) {
      const asked = { asset_id: ids[name], ...example_question };
      const { json: answer } = await call(service, undefined, "query_dataset_rows", asked);
      expect([name, answer.status]).toEqual([name, 200]);
    }
  }
});

test("numbers keep the digits of the file, and a nested value is a text", async () => {
  const answer = await service.app.inject({
    ...{ method: "POST", url: "/mcp", headers: { accept: "application/json, text/event-stream" } },
    payload: {
      ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
      params: { name: "describe_dataset", arguments: { asset_id: ids["two.json"] } },
    },
  });
  expect(answer.body).toContain('"value":12345678901234567891');
  expect(answer.body).toContain(JSON.stringify(JSON.stringify({ x: 1.1 })));
});

test("a wide table is cut at max_bytes, which counts the columns left out and says how to go on", async () => {
  const data = await describeFile("wide.csv");
  const [table] = data.files[0].tables;
  expect(table.columns.length).toBeGreaterThan(20);
  expect(table.columns.length + table.columns_left_out).toBe(400);
  expect(data.note).toContain("columns_left_out");
  const small = await describeIt({ asset_id: ids["wide.csv"], max_bytes: 2_000 });
  expect(Buffer.byteLength(JSON.stringify(small.json))).toBeLessThanOrEqual(2_000);
  const [less] = small.json.data.files[0].tables;
  expect(less.columns.length).toBeLessThan(table.columns.length);
  expect(less.columns.length + less.columns_left_out).toBe(400);
});

test("hostile names are names; one that fits no answer is left out and counted", async () => {
  const [file] = (await describeFile("names.csv")).files;
  const [table] = file.tables;
  expect(table.columns.map(({ name }: Json) => name)).toEqual(["__proto__", 'a"b', "evil"]);
  expect(table.columns_left_out).toBe(1);
});

test("a work is described with all its files, by handle and slug or by its address", async () => {
  const attachments: Json[] = [];
  for (const name of ["heights.csv", "plain.json", "two.json"]) {
    const { id } = await uploadReady(service, agent, name, FILES[name] ?? "");
    attachments.push({ asset_id: id, label: `File ${name}` });
  }
  const payload = { title: "All the gauges", attachments };
  const work = await publishNew(agent, { type: "dataset", payload });
  const [handle, slug] = workOf(work);
  const { json } = await describeIt({ handle: `@${handle}`, slug });
  expect(json.data.creation).toMatchObject({ id: work.id, title: "All the gauges", url: work.public_url });
  expect(
    json.data.files.map(({ label, tables, rows_url }: Json) => [label, tables.length, rows_url !== null]),
  ).toEqual([
    ["File heights.csv", 1, true],
    ["File plain.json", 0, false],
    ["File two.json", 2, true],
  ]);
  for (const args of [
    { url: work.public_url },
    { creation_id: work.id },
    { url: `http://localhost:3000/id/${work.id}` },
  ])
    expect((await describeIt(args)).json.data).toEqual(json.data);
  expect(json.untrusted).toBeDefined();
  const read = await call(service, undefined, "read_creation", { handle, slug });
  expect(Object.keys(read.json.data)).toContain("body_markdown");
});

test("a work of many files is cut at max_bytes, files before columns", async () => {
  const attachments: Json[] = [];
  for (let n = 0; n < 9; n++) {
    const { id } = await uploadReady(service, agent, `${n}-${"x".repeat(100)}.csv`, `a,b\n${n},1\n`);
    attachments.push({ asset_id: id, label: `${n} ${"ä".repeat(150)}` });
  }
  const payload = { title: "Nine", attachments };
  const work = await publishNew(agent, { type: "dataset", payload });
  const [handle, slug] = workOf(work);
  const { json } = await describeIt({ handle, slug });
  const { files, files_left_out, note } = json.data;
  expect(files.length + files_left_out).toBe(9);
  expect(files_left_out).toBeGreaterThan(0);
  expect(note).toContain("files_left_out");
});

test("a file that was never measured is measured by the call; one that takes too long is refused", async () => {
  await runSql(service, "UPDATE assets SET stats = NULL, stats_version = 0");
  const [file] = (await describeFile("heights.csv")).files;
  expect(file.tables[0].columns).toHaveLength(4);
  await runSql(service, "UPDATE assets SET stats = '[]' WHERE id = $1", [ids["heights.csv"]]);
  const { json } = await describeIt({ asset_id: ids["heights.csv"] });
  const refused = await request(service, { method: "GET", url: `/media/${ids["heights.csv"]}/stats` });
  expect([json.status, json.code]).toEqual([409, "too_large_to_read"]);
  expect(json.message).toBe(refused.json.message);
  await runSql(service, "UPDATE assets SET stats = NULL, stats_version = 0");
});

test("what has no table or is not open is refused as at the address of the statistics", async () => {
  const text = await uploadReady(service, agent, "note.txt", FILES["note.txt"] ?? "");
  const words = { title: "Words", attachments: [{ asset_id: text.id, label: "Words" }] };
  const read = await publishNew(agent, { type: "file", payload: words });
  for (const asset_id of [ids["plain.json"], text.id]) {
    const { json } = await describeIt({ asset_id });
    expect([json.status, json.code]).toEqual([409, "not_tabular"]);
  }
  const [file] = (await describeIt({ url: read.public_url })).json.data.files;
  expect([file.filename, file.query_url, file.tables]).toEqual(["note.txt", null, []]);
  const work = creations["wide.csv"] ?? {};
  const [handle, slug] = workOf(work);
  await runSql(service, "UPDATE creations SET hidden_at = now() WHERE id = $1", [work.id]);
  for (const args of [{ asset_id: ids["wide.csv"] }, { handle, slug }]) {
    const hidden = await describeIt(args);
    expect([hidden.json.status, hidden.json.code]).toEqual([404, "not_found"]);
  }
});

test("a misspelt argument is refused with the nearest one, a bound with its numbers", async () => {
  const { json } = await describeIt({ asset_id: ids["heights.csv"], max_byte: 2_000 });
  expect(json.errors.max_byte[0]).toContain("Did you mean max_bytes?");
  const wrong = await describeIt({ asset_id: ids["heights.csv"], max_bytes: 1 });
  expect(wrong.json.errors).toEqual({
    max_bytes: ["The max_bytes must be a whole number from 2000 to 200000."],
  });
});

test("no other request has such a preference", async () => {
  const reply = await request(service, {
    ...{ method: "GET", url: `/media/${ids["heights.csv"]}/stats` },
    headers: { prefer: "max-bytes=2000" },
  });
  expect(Object.keys(reply.json.data)).toEqual(["table", "row_count", "columns", "columns_left_out"]);
});

test("a work of a type without files is refused, with the tool that reads it", async () => {
  const story = await publishNew(agent);
  const { json } = await describeIt({ creation_id: story.id });
  expect([json.status, json.code, json.message]).toEqual([
    ...[409, "not_tabular", "A creation of type story has no tables."],
  ]);
  expect(json.hint).toMatch(/^read_creation reads it; /);
  expect((await describeIt({ url: story.public_url })).json).toEqual(json);
});
