import { describe, expect, it } from "vitest";
import { ask, askData, askRefused, LIMITS, prepareFile, readJson } from "./reading.ts";

const STATIONS = "station,height_m\nBremen,4.12\nHusum,\nEmden,3.9\nBüsum,10\n";

describe("rows of a CSV", () => {
  it("are text as written, blanks null", async () => {
    const ready = await prepareFile(STATIONS, "csv");
    expect(await askData(ready, "")).toEqual({
      columns: ["station", "height_m"],
      rows: [
        ["Bremen", "4.12"],
        ["Husum", null],
        ["Emden", "3.9"],
        ["Büsum", "10"],
      ],
      returned: 4,
      matched: 4,
      total: 4,
      next_offset: null,
    });
  });

  it("come in the asked columns, order and page", async () => {
    const ready = await prepareFile(STATIONS, "csv");
    expect(
      await askData(ready, "columns[]=height_m&columns[]=station&limit=1&offset=1&from=end"),
    ).toMatchObject({
      columns: ["height_m", "station"],
      rows: [["3.9", "Emden"]],
      matched: 4,
      next_offset: 2,
    });
  });

  it("are counted after conditions, which need not be among the columns", async () => {
    const ready = await prepareFile(STATIONS, "csv");
    const query = "columns[]=station&filter[0][column]=height_m&filter[0][op]=gte&filter[0][value]=4&limit=1";
    expect(await askData(ready, query)).toMatchObject({
      rows: [["Bremen"]],
      matched: 2,
      total: 4,
      next_offset: 1,
    });
    expect(await askData(ready, `${query}&from=end`)).toMatchObject({
      rows: [["Büsum"]],
      matched: 2,
      next_offset: 1,
    });
  });

  it("are none past the end", async () => {
    const ready = await prepareFile(STATIONS, "csv");
    for (const from of ["start", "end"]) {
      expect(await askData(ready, `offset=4&from=${from}`)).toMatchObject({
        rows: [],
        matched: 4,
        next_offset: null,
      });
      expect(await askData(ready, `offset=9007199254740991&from=${from}`)).toMatchObject({
        returned: 0,
        total: 4,
      });
    }
  });

  it("are none in a file with a header only", async () => {
    expect(await askData(await prepareFile("a,b\n", "csv"), "")).toMatchObject({
      columns: ["a", "b"],
      rows: [],
      total: 0,
    });
  });

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

  it("keep bidirectional marks, controls and quotes in valid JSON", async () => {
    const ready = await prepareFile('a\n"x\u0001\u202e""\n\u2028"\n', "csv");
    expect((await askData(ready, "")).rows).toEqual([['x\u0001\u202e"\n\u2028']]);
  });
});

describe("rows of JSON", () => {
  it("keep numbers, members and nesting as written", async () => {
    const text = '[{"n":12345678901234567890.10,"o":{"b":1,"2020":[1e400,"\\u0041"]}},{"n":-0,"x":""}]';
    const outcome = await ask(await prepareFile(text, "json"), "");
    expect(outcome.ok && readJson(outcome)).toContain(
      '{"columns":["n","o","x"],"rows":[[12345678901234567890.10,{"b":1,"2020":[1e400,"A"]},null],[-0,null,""]]',
    );
  });

  it("compare as the same texts in CSV do", async () => {
    const ready = await prepareFile(
      '[{"v":9007199254740993},{"v":"10"},{"v":null},{"v":true},{"v":""},{}]',
      "json",
    );
    const matched = async (op: string, value: string) =>
      (await askData(ready, `filter[0][column]=v&filter[0][op]=${op}&filter[0][value]=${value}`)).matched;
    expect(await matched("eq", "9007199254740993.0")).toBe(1);
    expect(await matched("eq", "9007199254740992")).toBe(0);
    expect(await matched("eq", "10.0")).toBe(1);
    expect(await matched("eq", "true")).toBe(1);
    expect(await matched("eq", "")).toBe(3);
    expect(await matched("ne", "")).toBe(3);
  });

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

  it("come from a repeated key's last list", async () => {
    const ready = await prepareFile('{"a":[{"x":1}],"b":0,"a":[{"x":2},{"x":3}]}', "json");
    expect(await askData(ready, "limit=1")).toMatchObject({ rows: [[2]], total: 2, next_offset: 1 });
  });

  it("are none in an empty list", async () => {
    expect(await askData(await prepareFile("[]", "json"), "")).toMatchObject({
      columns: [],
      rows: [],
      total: 0,
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
