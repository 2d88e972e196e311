import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addMeanings } from "../../../../shared/tables/dictionary/dictionary.ts";
import { readBriefTable } from "../../../../shared/tables/statistics/brief-columns.ts";
import { fitDescription, suggestQuestion } from "../../../../shared/tables/statistics/fit-description.ts";

const column = (name: string, more: object = {}) => ({
  ...{ name, type: "text", count: 10, blanks: 0, distinct: 3, min: "a", max: "c", mean: null },
  ...{ quartiles: null, top_values: [{ value: "a", count: 5 }], histogram: null },
  ...more,
});
const brief = (columns: object[], table: string | null = null) =>
  readBriefTable(JSON.stringify({ table, row_count: 10, columns, columns_left_out: 2 }));

describe("a description", () => {
  test("is JSON within its bytes, whatever names and values it has, and counts what it leaves out", () => {
    const name = fc.string({ maxLength: 300, unit: "binary" });
    const tables = fc.array(fc.array(name, { maxLength: 12 }), { maxLength: 6 });
    const files = fc.array(fc.record({ label: name, tables }), { maxLength: 8 });
    fc.assert(
      fc.property(files, fc.integer({ min: 1_500, max: 7_500 }), (given, bytes) => {
        const described = given.map(({ label, tables: lists }) => ({
          facts: { label },
          tables: lists.map((names, at) =>
            brief(
              names.map((one) => column(one)),
              `t${at}`,
            ),
          ),
          canAsk: true,
        }));
        const json = fitDescription({ title: "T" }, described, bytes);
        expect(Buffer.byteLength(json)).toBeLessThanOrEqual(bytes);
        const { files: shown, files_left_out, note } = JSON.parse(json);
        expect(shown.length + files_left_out).toBe(given.length);
        for (const [index, file] of shown.entries()) {
          const lists = given[index]?.tables ?? [];
          expect(file.tables.length + file.tables_left_out).toBe(lists.length);
          for (const [at, table] of file.tables.entries())
            expect(table.columns.length + table.columns_left_out).toBe((lists[at]?.length ?? 0) + 2);
        }
        // Every table here has two columns that are not measured.
        const isCut = shown.some(
          (file: { tables: object[]; tables_left_out: number }) =>
            file.tables.length > 0 || file.tables_left_out > 0,
        );
        expect(note !== undefined).toBe(isCut || files_left_out > 0);
      }),
      { numRuns: 200, seed: 7 },
    );
  });
});

test("a column has what its agent says of it, and the question is of the cells that are left", () => {
  const columns = [
    column("k"),
    column("id", { type: "number" }),
    column("n", { type: "number" }),
    column("x"),
  ];
  const [table] = addMeanings([brief(columns)], {
    columns: [
      {
        name: "n",
        title: "Height",
        unit: "m",
        description: "Long. ".repeat(80),
        missing_values: ["-999", "?"],
      },
      { name: "id", role: "identifier" },
      { name: "k", missing_values: ["?"] },
      { name: "x", required: true },
    ],
  });
  const [k, id, n, x] = (table?.columns ?? []).map(({ json }) => JSON.parse(json));
  expect(n).toMatchObject({ title: "Height", unit: "m", missing_values: ["-999", "?"], distinct: 3 });
  expect([[...n.description].length, n.description.at(-1)]).toEqual([200, "…"]);
  expect([k.missing_values, id.role, Object.keys(x)]).toEqual([
    ["?"],
    "identifier",
    ["name", "type", "count", "blanks", "distinct", "min", "max", "top_values", "unit", "description"],
  ]);
  expect(table && suggestQuestion(table)).toEqual({
    group: [{ column: "k" }],
    aggregate: [{ op: "avg", column: "n" }],
  });
});

test("numbers keep their digits, and long or nested values are cut texts", () => {
  const json =
    '{"table":null,"row_count":1,"columns":[{"name":"n","type":"mixed","count":1,"blanks":0,"distinct":1,"min":1.10,"max":12345678901234567891,"top_values":[{"value":{"a":"' +
    `${"x".repeat(90)}"},"count":1},{"value":true,"count":1},{"value":1e400,"count":1},{"value":"4","count":1}]}],"columns_left_out":0}`;
  const [only] = readBriefTable(json).columns;
  expect(only?.json).toBe(
    '{"name":"n","type":"mixed","count":1,"blanks":0,"distinct":1,"min":1.10,"max":12345678901234567891,' +
      `"top_values":[{"value":"{\\"a\\":\\"${"x".repeat(33)}…","count":1},{"value":true,"count":1},{"value":1e400,"count":1}]}`,
  );
});

test.each<[string, object[], object | null]>([
  [
    "a mean by few values",
    [column("id", { distinct: 10 }), column("k"), column("n", { type: "number" })],
    {
      group: [{ column: "k" }],
      aggregate: [{ op: "avg", column: "n" }],
    },
  ],
  [
    "years, where no value repeats",
    [column("day", { type: "date", distinct: 10 })],
    {
      group: [{ column: "day", by: "year" }],
    },
  ],
  ["nothing, where nothing groups", [column("n", { type: "number" }), column("t", { distinct: 10 })], null],
  ["nothing of blank columns", [column("d", { type: "date", count: 0, distinct: 0 })], null],
])("a table is asked for %s", (_, columns, question) => {
  expect(suggestQuestion(brief(columns))).toEqual(question);
});
