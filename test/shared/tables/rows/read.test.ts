import { describe, expect, it } from "vitest";
import { ask, askData, askRefused, LIMITS, prepareFile } from "./reading.ts";

const STATIONS = "station,height_m\nBremen,4.12\nHusum,\nEmden,3.9\nBüsum,10\n";

describe("rows of a CSV", () => {
  it("show the first hundred columns of more, and any hundred on demand", async () => {
    const names = Array.from({ length: 150 }, (_, i) => `c${i}`);
    const ready = await prepareFile(`${names.join(",")}\n${names.join(",")}\n`, "csv");
    expect((await askData(ready, "")).columns).toEqual(names.slice(0, 100));
    expect(await askData(ready, "columns[]=c149")).toMatchObject({ rows: [["c149"]] });
  });

  it("take a column named __proto__", async () => {
    const ready = await prepareFile("__proto__,b\n1,2\n3,4\n", "csv");
    const query = "columns[]=__proto__&filter[0][column]=__proto__&filter[0][op]=gt&filter[0][value]=1";
    expect(await askData(ready, query)).toMatchObject({ columns: ["__proto__"], rows: [["3"]] });
  });
});

describe("rows of JSON", () => {
  it("come from the one record list of a document, or the one that is named", async () => {
    const one = await prepareFile('{"meta":1,"list":[{"x":1},{"x":2}],"numbers":[1]}', "json");
    expect(await askData(one, "from=end&limit=1")).toMatchObject({ rows: [[2]], total: 2 });
    expect(await askData(one, "table=list")).toMatchObject({ total: 2 });
    const two = await prepareFile('{"a b":[{"x":1}],"c":[{"y":2},{"z":3}]}', "json");
    expect(await askData(two, "table=a+b")).toMatchObject({ columns: ["x"], rows: [[1]] });
    expect(await askData(two, "table=c")).toMatchObject({
      columns: ["y", "z"],
      rows: [
        [2, null],
        [null, 3],
      ],
    });
    expect(await askRefused(two, "")).toEqual({ code: "table_required", errors: {} });
    expect(await askRefused(two, "table=d")).toEqual({
      code: "validation_failed",
      errors: { table: ['The file has no such table; it has "a b", "c".'] },
    });
  });

  it("are not read over the limit for JSON tables", async () => {
    const ready = await prepareFile(`[${'{"a":"x"},'.repeat(20)}{"a":"y"}]`, "json");
    const limits = { ...LIMITS, jsonTableBytes: ready.content.length };
    expect(await ask(ready, "", limits)).toMatchObject({ ok: true });
    expect(await ask(ready, "", { ...limits, jsonTableBytes: limits.jsonTableBytes - 1 })).toMatchObject({
      ok: false,
      code: "too_large_to_read",
      errors: {},
    });
  });
});

describe("rows are refused", () => {
  it.each([
    ["# Title", "md"],
    ["text", "txt"],
    ["[1,2]", "json"],
    ['{"a":{"b":[{"c":1}]}}', "json"],
  ] as const)("as not tabular for %s", async (content, format) => {
    expect(await askRefused(await prepareFile(content, format), "")).toEqual({
      code: "not_tabular",
      errors: {},
    });
  });

  it("for a table name where the file is one table", async () => {
    for (const ready of [await prepareFile("a\n1\n", "csv"), await prepareFile('[{"a":1}]', "json")]) {
      expect(await askRefused(ready, "table=a")).toMatchObject({
        code: "validation_failed",
        errors: { table: [/./] },
      });
    }
  });

  it("for unknown columns, each named", async () => {
    const ready = await prepareFile(STATIONS, "csv");
    const query =
      "columns[]=station&columns[]=Station&filter[4][column]=zzz&filter[4][op]=eq&filter[4][value]=1";
    const refused = await askRefused(ready, query);
    expect(refused.code).toBe("validation_failed");
    expect(Object.keys(refused.errors)).toEqual(["columns.1", "filter.4.column"]);
  });
});
