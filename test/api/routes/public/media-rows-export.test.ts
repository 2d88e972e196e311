import { expect, test } from "vitest";
import { request } from "../../../support/agent.ts";
import { publishFiles } from "../../../support/published-files.ts";
import { openService } from "../../../support/service.ts";

const FILES: Record<string, string> = {
  "Übersicht 1.csv": `station,height_m\n${Array.from({ length: 700 }, (_, n) => `S${n},${n / 10}`).join("\n")}\nLast,\n`,
  "list.json": '[{"a":1,"2020":12345678901234567890},{"a":[1,{"b":null}]},{"c":"x"}]',
  "two.json": '{"one":[{"a":1}],"two":[{"b":2}],"note":"x"}',
  "plain.json": '{"note":"x"}',
  "big.json": `[${Array.from({ length: 40 }, (_, n) => `{"text":"${String(n).padStart(200, "x")}"}`).join(",")}]`,
};
const TABLE = "Übersicht 1.csv";

const service = await openService({ workers: false, limits: { jsonTableBytes: 5_000, rowsPerMinute: 500 } });
const { agent, ids, creations } = await publishFiles(service, FILES);

const ask = (file: string, form: "csv" | "ndjson", query = "", more: object = {}) =>
  request(service, { method: "GET", url: `/media/${ids[file]}/rows/all.${form}?${query}`, ...more });

test("all rows come at once, as CSV or as objects, beyond the limits of a page", async () => {
  const csv = await ask(TABLE, "csv");
  expect(csv.text).toBe(`${FILES[TABLE]?.replaceAll("\n", "\r\n")}`);
  const objects = (await ask(TABLE, "ndjson")).text.trimEnd().split("\n");
  expect(objects).toHaveLength(701);
  expect(JSON.parse(objects[700] ?? "")).toEqual({ station: "Last", height_m: null });
});

test("the answer is a download that other origins may read and that sets no cookie", async () => {
  const { headers } = await ask(TABLE, "csv");
  expect(headers["content-type"]).toBe("text/csv; charset=utf-8; header=present");
  expect(headers["content-disposition"]).toBe(
    `attachment; filename="_bersicht 1-r1.csv"; filename*=UTF-8''%C3%9Cbersicht%201-r1.csv`,
  );
  expect(headers["access-control-allow-origin"]).toBe("*");
  expect(headers["cache-control"]).toBe("no-cache");
  expect(headers["set-cookie"]).toBeUndefined();
  expect(headers["ratelimit-policy"]).toBe('"rows";q=500;w=60');
  expect((await ask(TABLE, "ndjson")).headers["content-type"]).toBe("application/x-ndjson; charset=utf-8");
});

test("offset, limit, from, columns and conditions hold, the limit without its cap", async () => {
  const query = "filter[0][column]=height_m&filter[0][op]=gte&filter[0][value]=10&columns[]=height_m";
  const lines = (await ask(TABLE, "csv", `${query}&offset=1&limit=590&from=end`)).text.split("\r\n");
  expect([lines.length, lines[0], lines[1], lines[590], lines[591]]).toEqual([
    592,
    "height_m",
    "69.8",
    "10.9",
    "",
  ]);
  expect((await ask(TABLE, "ndjson", "offset=700")).text).toBe('{"station":"Last","height_m":null}\n');
});

test("JSON values come as they were written, keys in the order of the columns", async () => {
  expect((await ask("list.json", "ndjson")).text).toBe(
    '{"a":1,"2020":12345678901234567890,"c":null}\n{"a":[1,{"b":null}],"2020":null,"c":null}\n{"a":null,"2020":null,"c":"x"}\n',
  );
  expect((await ask("two.json", "csv", "table=two")).text).toBe("b\r\n2\r\n");
});

test("the same question has the same ETag, and whoever has the answer gets 304", async () => {
  const [first, again, other] = [
    await ask(TABLE, "csv"),
    await ask(TABLE, "csv"),
    await ask(TABLE, "csv", "limit=2"),
  ];
  expect(first.headers.etag).toBe(again.headers.etag);
  expect(first.headers.etag).not.toBe(other.headers.etag);
  const headers = { "if-none-match": String(first.headers.etag) };
  const known = await ask(TABLE, "csv", "", { headers });
  expect([known.status, known.text]).toEqual([304, ""]);
});

test("HEAD has the headers and no bytes", async () => {
  const head = await ask(TABLE, "csv", "", { method: "HEAD" });
  expect([head.status, head.text, head.headers["content-type"]]).toEqual([
    200,
    "",
    "text/csv; charset=utf-8; header=present",
  ]);
});

test.each([
  ["plain.json", "", 409, "not_tabular"],
  ["two.json", "", 409, "table_required"],
  ["big.json", "", 409, "too_large_to_read"],
  ["two.json", "table=none", 422, "validation_failed"],
  [TABLE, "columns[]=none", 422, "validation_failed"],
  [TABLE, "limit=0", 422, "validation_failed"],
  [TABLE, "offset=-1", 422, "validation_failed"],
  [TABLE, "filter[0][column]=station&filter[0][op]=like", 422, "validation_failed"],
])("%s with %s is %d %s, in both forms", async (file, query, status, code) => {
  for (const form of ["csv", "ndjson"] as const) {
    const reply = await ask(file, form, query);
    expect([reply.status, reply.json.code]).toEqual([status, code]);
    expect([reply.headers["access-control-allow-origin"], reply.headers.etag]).toEqual(["*", undefined]);
  }
});

test("an unlisted file says noindex, and one that is no longer public is gone with the next request", async () => {
  const creation = creations["two.json"];
  const path = `/creations/${creation.id}`;
  const hidden = await agent.send(
    "POST",
    `${path}/visibility`,
    { visibility: "unlisted" },
    {
      ifMatch: creation.lock_version,
    },
  );
  expect((await ask("two.json", "csv", "table=one")).headers["x-robots-tag"]).toBe("noindex");
  await agent.send("POST", `${path}/unpublish`, {}, { ifMatch: hidden.json.data.lock_version });
  const gone = await ask("two.json", "csv", "table=one");
  expect([gone.status, gone.json.code]).toEqual([404, "not_found"]);
});
