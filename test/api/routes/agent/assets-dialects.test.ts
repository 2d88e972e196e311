import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { connectAuthor, type Json, publishNew, type Reply, request } from "../../../support/agent.ts";
import { openService, untilJobsAreDone } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { expectFault, sendForm } from "./append.ts";
import { openAddress } from "./upload-addresses.ts";

const service = await openService({ limits: { processingUploads: 100 } });
const agent = await connectAuthor(service, { handle: "tidewatch" });

const GERMAN = "Ort;Höhe;Anteil\nBremen;1.234,50;7\nHusum;4,40;8\n";
const CANONICAL = "Ort,Höhe,Anteil\r\nBremen,1234.50,7\r\nHusum,4.40,8\r\n";
const DIALECT = { delimiter: ";", decimalChar: ",", groupChar: "." };
const shaOf = (content: string | Buffer) => createHash("sha256").update(content).digest("hex");

const send = (content: string | Buffer, dialect: string | null, filename = "readings.csv"): Promise<Reply> =>
  sendForm(service, agent, [
    ...(dialect === null ? [] : [["dialect", dialect] as [string, string]]),
    ["file", content, filename],
  ]);

async function publish(asset: string): Promise<Json> {
  const payload = { title: "Levels", attachments: [{ asset_id: asset, label: "Levels" }] };
  return await publishNew(agent, { type: "dataset", payload });
}

const read = async (url: string) => await request(service, { method: "GET", url });

test("a table is read by its dialect, and both forms are kept", async () => {
  const reply = await send(GERMAN, JSON.stringify(DIALECT));
  expect(reply.status).toBe(201);
  const { id, ...data } = reply.json.data;
  expect(data).toMatchObject({
    bytes: Buffer.byteLength(GERMAN),
    content_sha256: shaOf(GERMAN),
    canonical_sha256: shaOf(CANONICAL),
    canonical_bytes: Buffer.byteLength(CANONICAL),
    dialect: { ...DIALECT, columns: ["Höhe"] },
    inspection: { row_count: 2, columns: [{ type: "text" }, { type: "number" }, { type: "number" }] },
    plan: {
      left_out_count: 0,
      row_count: 2,
      sample: [
        ["Bremen", "1234.50", "7"],
        ["Husum", "4.40", "8"],
      ],
    },
  });
  expect((await agent.get(`/assets/${id}/content`)).text).toBe(GERMAN);
  const [stored] = await runSql(service, `SELECT storage_bytes FROM agents WHERE id = '${agent.id}'`);
  expect(Number(stored?.storage_bytes)).toBe(Buffer.byteLength(GERMAN) + Buffer.byteLength(CANONICAL));

  const work = await publish(id);
  expect(work.latest_revision.payload.attachments[0].canonical_sha256).toBe(shaOf(CANONICAL));
  await untilJobsAreDone(service);
  expect((await read(`/media/${id}/rows/all.csv`)).text).toBe(CANONICAL);
  const rows = (await read(`/media/${id}/rows?filter[0][column]=Höhe&filter[0][op]=gt&filter[0][value]=1000`))
    .json.data;
  expect(rows).toMatchObject({ rows: [["Bremen", "1234.50", "7"]], content_sha256: shaOf(CANONICAL) });
  const asked = await read(`/media/${id}/query?aggregate[0][op]=sum&aggregate[0][column]=Höhe`);
  expect(asked.json.data.rows).toEqual([[1238.9]]);
  // Its key source_sha256.
  expect((await read(`/media/${id}/rows/all.parquet`)).text).toContain(shaOf(CANONICAL));
  const download = await read(`/media/${id}/readings.csv`);
  expect(download.text).toBe(GERMAN);
  const page = await read(`/@tidewatch/${work.slug}`);
  expect(page.text).toContain("Read with semicolons, decimal commas, and digits in groups");
  expect(page.text).toContain(`/media/${id}/rows/all.csv`);
});

test("a refused table says how it can be read, and the plan that is sent back is what it said", async () => {
  const text = `Stand: 20.11.2026\n${GERMAN}Kiel;3;9\nWismar;2,05;1\n`;
  const refused = await send(text, null);
  expectFault(refused, "file", /^Row 3/);
  const { plan } = refused.json;
  expect(plan).toMatchObject({
    dialect: { delimiter: ";", decimalChar: ",", headerRows: [2] },
    left_out: [{ row: 1, text: "Stand: 20.11.2026" }],
    row_count: 4,
  });
  const accepted = await send(text, JSON.stringify(plan.dialect));
  expect(accepted.json.data).toMatchObject({ plan, inspection: { row_count: 4 } });
  const auto = await send(text, "auto");
  expect(auto.json.data).toMatchObject({ plan, canonical_sha256: accepted.json.data.canonical_sha256 });
  const sound = (await send("a,b\n1,2\n", "auto")).json.data;
  expect([sound.plan, sound.dialect, sound.canonical_sha256]).toEqual([null, null, null]);
});

test("two readings are both shown, and none is chosen", async () => {
  const text = "Land;BIP, Mrd.\nDE;4,5\nFR;3,1\n";
  const refused = await send(text, null);
  expect(refused.json.plans.map(({ dialect }: Json) => dialect.delimiter)).toEqual([";", ","]);
  expectFault(await send(text, "auto"), "dialect", /[Tt]wo readings/);
  const chosen = await send(text, JSON.stringify(refused.json.plans[1].dialect));
  expect(chosen.json.data.inspection.columns.map(({ name }: Json) => name)).toEqual(["Land;BIP", " Mrd."]);
});

test("faults of a dialect are told before the file is read, all at once", async () => {
  const reply = await send(
    "a,b\n",
    '{"delimeter": ";", "header": false, "headerRows": [1], "encoding": "klingon"}',
  );
  expect(Object.keys(reply.json.errors).toSorted()).toEqual([
    "dialect.delimeter",
    "dialect.encoding",
    "dialect.headerRows",
  ]);
  expect(reply.json.errors["dialect.delimeter"][0]).toContain("delimiter");
  expectFault(await send('{"a": 1}', "auto", "a.json"), "dialect", /json/);
  expectFault(await send("a,b\n1,2\n", '{"rows": [9, 10]}'), "dialect.rows", /no row 10/);
  const late = await sendForm(service, agent, [
    ["file", GERMAN, "a.csv"],
    ["dialect", "auto"],
  ]);
  expectFault(late, "dialect", /before the file/);
  const rows = await runSql(service, "SELECT count(*)::int AS count FROM assets WHERE filename = 'a.csv'");
  expect(rows).toEqual([{ count: 0 }]);
});

test("tabs by the name, UTF-16 by its mark and bare CR need no dialect, and a key holds for it", async () => {
  const tabs = (await send("a\tb\n1\t2,5\n", null, "table.tsv")).json.data;
  expect(tabs).toMatchObject({ format: "csv", filename: "table.tsv", dialect: { delimiter: "\t" } });
  const download = await agent.get(`/assets/${tabs.id}/content`);
  expect(download.headers["content-type"]).toBe("text/tab-separated-values; charset=utf-8");
  const wide = Buffer.from("\ufeffa,b\n1,ü\n", "utf16le");
  expect((await send(wide, null)).json.data).toMatchObject({
    dialect: { delimiter: ",", encoding: "utf-16le" },
    inspection: { sample: [["1", "ü"]] },
  });
  expect((await send("a,b\r1,2\r", null)).json.data).toMatchObject({
    dialect: { delimiter: ",", lineTerminator: "\r" },
    inspection: { row_count: 1 },
  });
  const secret = Buffer.from(`\ufefftoken,v\n${agent.token},1\n`, "utf16le");
  expectFault(await send(secret, null), "file", /access token/);
});

test("rows are appended in the dialect of their base, and the result is canonical", async () => {
  const base = (await send(GERMAN, JSON.stringify(DIALECT), "levels.tsv")).json.data.id;
  const more = "Ort;Höhe;Anteil\nWismar;2.001,25;9\n";
  const grown = await sendForm(service, agent, [
    ["base_asset_id", base],
    ["file", more, "today.csv"],
  ]);
  const text = `${CANONICAL}Wismar,2001.25,9\r\n`;
  expect(grown.json.data).toMatchObject({
    filename: "levels.csv",
    content_sha256: shaOf(text),
    dialect: null,
    canonical_sha256: null,
    piece_dialect: { ...DIALECT, columns: ["Höhe"] },
    appended_to: {
      rows_added: 1,
      changes: [
        "Semicolons separate the values, in all 2 lines.",
        "Decimal commas and points between thousands are read in 1 column: Höhe.",
      ],
    },
  });
  const again = await sendForm(service, agent, [
    ["base_asset_id", grown.json.data.id],
    ["file", more, "today.csv"],
  ]);
  expect(again.json.data.inspection.row_count).toBe(4);
  const plain = await sendForm(service, agent, [
    ["dialect", '{"delimiter": ","}'],
    ["base_asset_id", grown.json.data.id],
    ["file", "Ort,Höhe,Anteil\nKiel,1.5,2\n", "today.csv"],
  ]);
  expect(plain.json.data.inspection.row_count).toBe(4);
});

test("cells of appended rows that are no numbers of their dialect are told, and so is whose dialect it is", async () => {
  const base = (await send(GERMAN, JSON.stringify(DIALECT), "levels.tsv")).json.data.id;
  const add = (text: string) =>
    sendForm(service, agent, [
      ["base_asset_id", base],
      ["file", text, "today.csv"],
    ]);
  const grown = await add("Ort;Höhe;Anteil\nWismar;3.5;9\n");
  const { changes } = grown.json.data.appended_to;
  expect(changes.at(-1)).toBe("In Höhe 1 cell is no such number and stays as written.");
  const read = await agent.get(`/assets/${grown.json.data.id}`);
  expect(read.json.data.appended_to.changes).toEqual(changes);
  const other = await add("Ort,Höhe,Anteil\nWismar,3.5,9\n");
  expectFault(other, "file", /^There is no column Höhe\. The rows are read as those of the base are\./);
});

test("an address of an upload carries the dialect, and what is deleted leaves nothing", async () => {
  const dialect = { delimiter: ";", decimalChar: "," };
  const url = new URL(await openAddress(agent, { dialect }));
  const reply = await request(service, {
    method: "PUT",
    url: url.pathname + url.search,
    payload: "a;b\n1;2,5\n",
  });
  expect(reply.json.data).toMatchObject({
    dialect: { ...dialect, columns: ["b"] },
    inspection: { sample: [["1", "2.5"]] },
  });
  const { id } = reply.json.data;
  const [made] = await runSql(service, `SELECT file_id FROM canonical_files WHERE asset_id = '${id}'`);
  expect(await service.deps.files.size(made?.file_id)).toBe(Buffer.byteLength("a,b\r\n1,2.5\r\n"));
  const [before] = await runSql(service, `SELECT storage_bytes FROM agents WHERE id = '${agent.id}'`);
  expect((await agent.send("DELETE", `/assets/${id}`, undefined)).status).toBe(204);
  expect(await service.deps.files.size(made?.file_id)).toBeNull();
  expect(await runSql(service, `SELECT 1 FROM canonical_files WHERE asset_id = '${id}'`)).toEqual([]);
  const [after] = await runSql(service, `SELECT storage_bytes FROM agents WHERE id = '${agent.id}'`);
  expect(before?.storage_bytes - after?.storage_bytes).toBe(10 + Buffer.byteLength("a,b\r\n1,2.5\r\n"));
});

test("JSON Lines are kept as sent, read as a list of their objects, and grow by lines", async () => {
  const lines = '{"day":"2026-11-20","v":1.10}\n{"day":"2026-11-21","v":null,"more":true}\n';
  const { id, ...data } = (await send(lines, null, "days.ndjson")).json.data;
  expect(data).toMatchObject({
    format: "jsonl",
    content_sha256: shaOf(lines),
    dialect: null,
    plan: null,
    inspection: { row_count: 2, columns: [{ name: "day" }, { name: "v" }, { name: "more" }] },
  });
  const grown = await sendForm(service, agent, [
    ["base_asset_id", id],
    ["file", '{"day":"2026-11-22","v":3}', "more.jsonl"],
  ]);
  expect(grown.json.data).toMatchObject({ filename: "days.ndjson", appended_to: { rows_added: 1 } });
  expect((await agent.get(`/assets/${grown.json.data.id}/content`)).text).toBe(
    `${lines}{"day":"2026-11-22","v":3}`,
  );
  const work = await publish(grown.json.data.id);
  await untilJobsAreDone(service);
  expect((await read(`/media/${grown.json.data.id}/rows`)).text).toContain('["2026-11-20",1.10,null]');
  expect((await read(`/@tidewatch/${work.slug}/files/1.jsonl`)).headers.location).toMatch(/days\.ndjson$/);
  expectFault(await send('{"a":1}\n{"a":2},{"a":3}\n', null, "a.jsonl"), "file", /^Line 2 is no JSON/);
  expectFault(await send("[1]\n", null, "a.jsonl"), "file", /^Line 1 holds no object/);
  expectFault(await send(lines, "auto", "a.jsonl"), "dialect", /jsonl/);
  const late = await sendForm(service, agent, [
    ["base_asset_id", id],
    ["file", '{"day":"2026-11-22"}\n7\n', "more.jsonl"],
  ]);
  expectFault(late, "file", /^Line 2 holds no object.*file that you sent/);
});
