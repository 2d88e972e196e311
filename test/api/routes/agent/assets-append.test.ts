import { createHash } from "node:crypto";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { findAppend } from "../../../../sql/datasets/appends.ts";
import { connectAgent } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { BASE, expectFault, makeForm, openAppends, PART, sendForm } from "./append.ts";
import { openAddress, postForm } from "./upload-addresses.ts";

const LIMIT = 20_000;

const limits = { fileBytes: LIMIT, processingUploads: 100 };
const service = await openService({ limits, config: { uploadWaitMs: 15_000 } });
const agent = await connectAgent(service);
const append = openAppends(service, agent);

const shaOf = (text: string) => createHash("sha256").update(text).digest("hex");
const makeBase = async (content: string | Buffer = BASE, filename = "readings.csv"): Promise<string> =>
  (await agent.upload(filename, content)).json.data.id;
const contentOf = async (id: string) => (await agent.get(`/assets/${id}/content`)).text;

test("rows are appended in a new file, and the base stays as it is", async () => {
  const base = await makeBase();
  const reply = await append(base, PART);
  expect(reply.status).toBe(201);
  const whole = `${BASE}Husum,4.40\nCuxhaven,3.90\n`;
  expect(reply.json.data).toMatchObject({
    filename: "readings.csv",
    bytes: whole.length,
    content_sha256: shaOf(whole),
    readiness: "ready",
    inspection: { row_count: 3 },
    sent_bytes: null,
    appended_to: { asset_id: base, rows_added: 2 },
  });
  expect(Object.keys(reply.json.data).at(-1)).toBe("plan");
  expect(await contentOf(reply.json.data.id)).toBe(whole);
  expect((await agent.get(`/assets/${reply.json.data.id}`)).json.data).toEqual(reply.json.data);
  expect((await agent.get(`/assets/${base}`)).json.data.appended_to).toBeNull();
  expect(await contentOf(base)).toBe(BASE);
});

test("a file that grew is described as one that was sent whole", async () => {
  const text = `${BASE}${"Husum,4.40\n".repeat(12)}`;
  const grown = (await append(await makeBase(text), PART)).json.data;
  const whole = (await agent.upload("readings.csv", text + PART.slice(PART.indexOf("\n") + 1))).json.data;
  const own = ["id", "appended_to", "created_at", "expires_at", "download_url", "readiness_progress"];
  const describe = (data: object) => Object.entries(data).filter(([name]) => !own.includes(name));
  expect(describe(grown)).toEqual(describe(whole));
  const columns = "id, inspection::text, hints::text, tables::text, encode(reading_index, 'hex') AS places";
  const rows = await runSql(
    service,
    `SELECT ${columns} FROM assets WHERE id IN ('${grown.id}', '${whole.id}')`,
  );
  expect(new Set(rows.map(({ id: _, ...found }) => JSON.stringify(found))).size).toBe(1);
});

test("a JSON list grows too, and a part may come compressed", async () => {
  const base = await makeBase('[{"a":1}]\n', "list.json");
  const joined = await append(base, '[\n{"a":2,"b":3}]', { filename: "more.json" });
  expect(joined.json.data).toMatchObject({ appended_to: { asset_id: base, rows_added: 1 } });
  expect(await contentOf(joined.json.data.id)).toBe('[{"a":1},\n{"a":2,"b":3}]');
  expect(await findAppend(service.deps.pool, base, joined.json.data.id)).toEqual({
    rows_added: 1,
    columns_added: ["b"],
  });
  const csv = await makeBase();
  for (const [filename, packed] of [
    ["more.csv.gz", gzipSync(PART)],
    ["more.csv.zst", zstdCompressSync(PART)],
  ] as const) {
    const reply = await append(csv, packed, { filename });
    expect(reply.json.data).toMatchObject({
      filename: "readings.csv",
      sent_bytes: packed.length,
      appended_to: { rows_added: 2 },
    });
  }
});

test("appends of appends are known as one, and other pairs of files are not", async () => {
  const first = await makeBase();
  const second = (await append(first, PART)).json.data.id;
  const third = (await append(second, PART)).json.data.id;
  const { pool } = service.deps;
  expect(await findAppend(pool, first, third)).toEqual({ rows_added: 4, columns_added: [] });
  expect(await findAppend(pool, second, third)).toEqual({ rows_added: 2, columns_added: [] });
  expect(await findAppend(pool, third, first)).toBeNull();
  expect(await findAppend(pool, first, first)).toBeNull();
  expect((await agent.send("DELETE", `/assets/${second}`, undefined)).status).toBe(204);
  expect(await findAppend(pool, first, third)).toBeNull();
  expect((await agent.get(`/assets/${third}`)).json.data.appended_to).toEqual({
    asset_id: second,
    rows_added: 2,
  });
});

test("a fault of the part is told with the rows of the part", async () => {
  const base = await makeBase(`${BASE}Husum,1\nHusum,2\n`);
  expectFault(
    await append(base, `${PART}Kiel\n`),
    "file",
    /^Row 4 has 1 value; .* of the file that you sent/,
  );
  const latin = Buffer.from(`${PART}M\xfcnster,1\n`, "latin1");
  expectFault(await append(base, latin), "file", /^Line 4 \(byte 44\) is not UTF-8.* that you sent/);
  // Accepted, such a part would be a base that is refused: nothing could follow it.
  expectFault(await append(base, `${PART}Kiel,1\n\n`), "file", /^The file ends with blank lines/);
  const lines = await makeBase('{"a":1}\n', "a.jsonl");
  expectFault(await append(lines, '{"a":2}\n\r\n', { filename: "b.jsonl" }), "file", /ends with blank lines/);
  const list = await makeBase('[{"a":1}]', "list.json");
  expectFault(await append(list, '[{"a":1},\n2]', { filename: "more.json" }), "file", /^Item 2 of the list/);
});

test("a base is a ready table of the agent, of the same format", async () => {
  const stranger = await connectAgent(service);
  const foreign = (await stranger.upload("a.csv", BASE)).json.data.id;
  const unknown = "01M7WVM8W0T8NYB19BE1ATAT9N";
  const texts = await Promise.all(
    ["", "no id", unknown, foreign].map(async (id) => (await append(id, PART)).json.errors.base_asset_id),
  );
  expect(new Set(texts.map(String))).toEqual(
    new Set(["You have no file with this id. Name one of your own, which is ready."]),
  );
  const refused: [string, string, string, RegExp][] = [
    ["a.txt", "text", "a.txt", /Only CSV files and JSON lists/],
    ["a.json", '{"rows":[{"a":1}]}', "a.json", /JSON document/],
    ["a.json", "[1,2]", "a.json", /JSON document/],
    ["a.json", '[{"a":1}]', "a.csv", /a \.json file and the file that you sent a \.csv one/],
    ["a.csv", BASE, "a.json", /a \.csv file/],
    ["a.csv", `${BASE}\r\n`, "a.csv", /blank lines/],
    ["a.jsonl", '{"a":1}\n\n', "a.jsonl", /blank lines/],
  ];
  for (const [name, content, filename, sentence] of refused) {
    const base = await makeBase(content, name);
    expectFault(await append(base, content, { filename }), "base_asset_id", sentence);
  }
  const base = await makeBase();
  for (const [change, sentence] of [
    ["readiness = 'processing', inspection = NULL, tables = NULL, stats = NULL", /still being inspected/],
    [
      "readiness = 'failed', readiness_reason = 'no', inspection = NULL, tables = NULL, stats = NULL",
      /was refused/,
    ],
    ["readiness = 'ready', readiness_reason = NULL, file_deleted_at = now()", /no file with this id/],
    ["file_deleted_at = NULL, expires_at = '2020-01-01'", /no file with this id/],
  ] as const) {
    await runSql(service, `UPDATE assets SET ${change} WHERE id = $1`, [base]);
    expectFault(await append(base, PART), "base_asset_id", sentence);
  }
});

test("a base is named once and before the file, by its name", async () => {
  const base = await makeBase();
  const file = ["file", PART, "more.csv"] as [string, string, string];
  const send = (...parts: Parameters<typeof sendForm>[2]) => sendForm(service, agent, parts);
  expectFault(await send(file, ["base_asset_id", base]), "base_asset_id", /behind the file/);
  expectFault(await send(["base_asset_id", base], ["base_asset_id", base], file), "base_asset_id", /twice/);
  expectFault(await send(["base_asset_id", base], file, ["base_asset_id", base]), "base_asset_id", /behind/);
  expectFault(await send(["base_assetid", base], file), "base_assetid", /Did you mean base_asset_id/);
  expectFault(await send(file, ["baseAssetId", base]), "baseAssetId", /Did you mean base_asset_id/);
  expectFault(await send(["base_asset_id", base]), "file", /missing/);
  expect((await send(["note", "x"], ["base_asset_id", ` ${base.toLowerCase()}\n`], file)).status).toBe(201);
});

test("an upload address takes no base, since its answer would show the agent's rows", async () => {
  const url = await openAddress(agent);
  const form = await postForm(service, url, "x.csv", PART);
  expect(form.json.data.appended_to).toBeNull();
  const second = await openAddress(agent);
  const { body, type } = makeForm([
    ["base_asset_id", await makeBase()],
    ["file", PART, "x.csv"],
  ]);
  const reply = await service.app.inject({
    method: "POST",
    url: new URL(second).pathname,
    headers: { "content-type": type },
    payload: body,
  });
  expect([reply.statusCode, reply.json().errors.base_asset_id]).toEqual([
    422,
    ["An address takes whole files. Append with POST /assets."],
  ]);
});

test("limits are of the whole", async () => {
  const rows = (bytes: number) => `a\n${"1\n".repeat((bytes - 2) / 2)}`;
  const base = await makeBase(rows(LIMIT / 2));
  expect((await append(base, rows(LIMIT / 2 + 2))).json.data.bytes).toBe(LIMIT);
  expectFault(await append(base, rows(LIMIT / 2 + 4)), "file", `together are larger than ${LIMIT} bytes`);
  const full = await makeBase(rows(LIMIT));
  expectFault(await append(full, "a\n1\n"), "base_asset_id", "together are larger");
  const used = await runSql(service, "SELECT storage_bytes FROM agents WHERE id = $1", [agent.id]);
  await runSql(service, "UPDATE agents SET storage_bytes = $2 WHERE id = $1", [
    agent.id,
    service.deps.config.limits.storageBytes - LIMIT / 2,
  ]);
  const exhausted = await append(base, "a\n1\n");
  expect([exhausted.status, exhausted.json.code]).toEqual([409, "storage_quota_exhausted"]);
  await runSql(service, "UPDATE agents SET storage_bytes = $2 WHERE id = $1", [
    agent.id,
    used[0]?.storage_bytes,
  ]);
});
