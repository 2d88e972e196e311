import { describe, expect, test } from "vitest";
import { connectAuthor, request } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { publishFiles } from "../../../support/published-files.ts";
import { openService } from "../../../support/service.ts";

const LONG = Array.from({ length: 3_000 }, (_, n) => `${n},${"x".repeat(100)}${n}`);
const FILES: Record<string, string> = {
  "before.csv": "station,day,height_m\nHusum,1,4.10\nHusum,2,4.20\nBremen,1,4.10\n",
  "after.csv": "station,day,height_m,flag\nHusum,1,4.12,\nHusum,2,4.20,\nHusum,3,x,new\nBremen,2,4.20,\n",
  "two.json": '{"one":[{"a":1},{"a":2}],"two":[{"b":2}]}',
  "three.json": '{"one":[{"a":1.0},{"a":2}],"two":[{"b":2}]}',
  "long.csv": `n,text\n${LONG.join("\n")}\n`,
  "empty.csv": "n,text\n",
  "plain.json": '{"note":"x"}',
};

const service = await openService({ workers: false, limits: { queriesPerMinute: 1_000 } });
const { ids } = await publishFiles(service, FILES);
const other = await connectAuthor(service);
const unpublished = (await uploadReady(service, other, "own.csv", "a\n1\n")).id;

const get = (
  head: string,
  query: string,
  { form = "", ...more }: { form?: string; [name: string]: unknown } = {},
) => request(service, { method: "GET", url: `/media/${ids[head]}/diff${form}?${query}`, ...more });
const diff = (base: string, head: string, query = "", more = {}) =>
  get(head, `base=${ids[base] ?? base}${query && `&${query}`}`, more);

describe("a comparison of two files", () => {
  test("tells columns, counts and rows", async () => {
    const { status, json } = await diff("before.csv", "after.csv");
    expect(status).toBe(200);
    expect(json.data).toMatchObject({
      base: { asset_id: ids["before.csv"], row_count: 3 },
      head: { asset_id: ids["after.csv"], row_count: 4 },
      key: ["station", "day"],
      columns: { added: ["flag"], types: [{ name: "height_m", base: "number", head: "mixed" }] },
      summary: { added: 2, removed: 1, changed: 1, moved: 0, same: 1, cells: 1 },
      ...{ returned: 4, matched: 4, next_offset: null },
    });
    expect(json.data.rows.slice(0, 3)).toEqual([
      {
        change: "changed",
        key: ["Husum", "1"],
        base_row: 2,
        head_row: 2,
        cells: { height_m: ["4.10", "4.12"] },
      },
      {
        ...{ change: "removed", key: ["Bremen", "1"], base_row: 4, head_row: null },
        row: { station: "Bremen", day: "1", height_m: "4.10" },
      },
      {
        ...{ change: "added", key: ["Husum", "3"], base_row: null, head_row: 4 },
        row: { station: "Husum", day: "3", height_m: "x", flag: "new" },
      },
    ]);
  });

  test("of a file and itself is empty", async () => {
    const { json } = await diff("after.csv", "after.csv");
    expect(json.data).toMatchObject({ rows: [], matched: 0, summary: { same: 4 } });
  });

  test("takes the lists of documents by name, and numbers as they are written", async () => {
    const { json } = await diff("two.json", "three.json", "table=one&key[]=a");
    expect(json.data.summary).toMatchObject({ added: 1, removed: 1, same: 1 });
    expect((await diff("two.json", "three.json")).json.code).toBe("table_required");
  });

  test("has an entity tag of its own, which is answered before anything is read", async () => {
    const { headers } = await diff("before.csv", "after.csv");
    const again = await diff("before.csv", "after.csv", "limit=100", {
      headers: { "if-none-match": headers.etag },
    });
    expect([again.status, again.text]).toEqual([304, ""]);
    const tags = await Promise.all(
      ["change[]=added", "limit=1", "key[]=station&key[]=day", "columns[]=day"].map(
        async (query) => (await diff("before.csv", "after.csv", query)).headers.etag,
      ),
    );
    expect(new Set([headers.etag, ...tags]).size).toBe(5);
  });
});

describe("an export of a comparison", () => {
  test("has every change as an object a line", async () => {
    const { headers, text } = await diff("empty.csv", "long.csv", "", { form: "/all.ndjson" });
    expect(headers["content-type"]).toContain("application/x-ndjson");
    expect(headers["content-disposition"]).toContain("long-diff.ndjson");
    const lines = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect([lines.length, lines[2_999].row]).toEqual([
      3_000,
      { n: "2999", text: LONG[2_999]?.split(",")[1] },
    ]);
    const part = await diff("empty.csv", "long.csv", "offset=2998&limit=1", { form: "/all.ndjson" });
    expect(part.text).toBe(`${JSON.stringify(lines[2_998])}\n`);
  });

  test("is a tabular diff as CSV", async () => {
    const { headers, text } = await diff("before.csv", "after.csv", "", { form: "/all.csv" });
    expect(headers["content-type"]).toContain("text/csv");
    expect(text.split("\r\n")).toEqual([
      "!,,,,+++",
      "@@,station,day,height_m,flag",
      "->,Husum,1,4.10->4.12,",
      ",Husum,2,4.20,",
      "---,Bremen,1,4.10,",
      "+++,Husum,3,x,new",
      "+++,Bremen,2,4.20,",
      "",
    ]);
    const { headers: tagged } = await diff("before.csv", "after.csv", "", {
      form: "/all.csv",
      headers: { "if-none-match": headers.etag },
    });
    expect(tagged.etag).toBe(headers.etag);
  });
});

describe("a comparison that cannot be made", () => {
  test("is refused on the member that is at fault", async () => {
    const errorsOf = async (head: string, query: string) => (await get(head, query)).json.errors;
    const base = `base=${ids["before.csv"]}`;
    expect(await errorsOf("after.csv", "")).toEqual({ base: ["Name the older file by its id: base=01M7…"] });
    expect(await errorsOf("three.json", `${base}&table=one`)).toMatchObject({ table: [expect.any(String)] });
    expect(await errorsOf("long.csv", `base=${ids["two.json"]}&table=one`)).toHaveProperty("table");
    const several = "key[]=station&key[]=station&change[]=chnged&limit=0&offset=x&columns[]=nothing";
    expect(Object.keys(await errorsOf("after.csv", `${base}&${several}`)).sort()).toEqual([
      ...["change.0", "columns.0", "key.1", "limit", "offset"],
    ]);
    expect(await errorsOf("after.csv", `${base}&key[]=station`)).toEqual({
      key: [expect.stringContaining("Rows 2 and 3 of the base have the same key.")],
    });
    expect(await errorsOf("after.csv", `${base}&${base}`)).toHaveProperty("base");
    expect(await errorsOf("after.csv", `${base}&keys[]=station`)).toEqual({
      keys: [expect.stringContaining("Did you mean key")],
    });
  });

  test("of two formats is refused on the base", async () => {
    const { status, json } = await diff("three.json", "long.csv");
    expect([status, json.code]).toEqual([409, "table_required"]);
    const list = await publishFiles(service, { "list.json": '[{"n":1}]' });
    const { json: refused } = await get("long.csv", `base=${list.ids["list.json"]}`);
    expect(refused.errors).toEqual({
      base: ["The base is JSON and the file is CSV. Compare two files of the same format."],
    });
  });

  test("needs two tables that readers may fetch", async () => {
    expect((await diff("plain.json", "two.json", "table=one")).json.code).toBe("not_tabular");
    for (const base of [unpublished, "01M7WVM8W0T8NYB19BE1ATAT9N", "before.csv/../x", "%00"])
      expect((await get("long.csv", `base=${base}`)).json.message, base).toBe("There is no such base file.");
    const hidden = await publishFiles(service, { "gone.csv": "n,text\n1,x\n" });
    const asked = `base=${hidden.ids["gone.csv"]}`;
    expect((await get("long.csv", asked)).status).toBe(200);
    const { id, lock_version: ifMatch } = hidden.creations["gone.csv"];
    expect(
      (await hidden.agent.send("POST", `/creations/${id}/unpublish`, undefined, { ifMatch })).status,
    ).toBe(200);
    const closed = await get("long.csv", asked);
    expect([closed.status, closed.headers["access-control-allow-origin"]]).toEqual([404, "*"]);
  });
});
