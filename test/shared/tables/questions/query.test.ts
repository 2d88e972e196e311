import { describe, expect, it } from "vitest";
import { readQuestion } from "../../../../shared/tables/questions/read-question.ts";
import { prepareFile, type ReadyFile } from "../rows/reading.ts";
import { asJson, askData, askRefused, QUERY_LIMITS } from "./asking.ts";

const csv = (text: string): Promise<ReadyFile> => prepareFile(text, "csv");

const PRICES =
  'city,price,day\nBremen,0.1,2026-01-31\nHusum,0.2,2026-02-01 08:30\n"Bremen",NA,2026-02\n,0.3,2025-12-29\n';

describe("sums and means", () => {
  const sum = async (cells: string[], op = "sum") => {
    const file = await csv(`x\n${cells.join("\n")}\n`);
    return (await askData(file, asJson({ aggregate: [{ op, column: "x" }] }))).rows[0][0];
  };

  it("are exact where doubles are not", async () => {
    expect(await sum(["0.1", "0.2"])).toBe(0.3);
    expect(await sum(["0.1", "0.2", "0.3"], "avg")).toBe(0.2);
    expect(await sum(["9007199254740993", "-9007199254740992"])).toBe(1);
    // Each is a whole number of a double, their sum is none.
    expect(await sum([...Array(11).fill("999999999999999"), "-10999999999999980"])).toBe(9);
    expect(await sum(["1e30", "-1e30", "1e-30"])).toBe(1e-30);
    expect(
      await sum(["4503599627370497", "4503599627370497", "4503599627370497", "-13510798882111490"]),
    ).toBe(1);
    expect(await sum(["1", "1.0", "2.50"], "count_distinct")).toBe(3);
    expect(await sum(["1", "10", "2", "3"], "median")).toBe(2.5);
  });

  it("stop at 10,000 digits and at the largest double", async () => {
    const of = async (cell: string, op: string) =>
      await askRefused(await csv(`x\n${cell}\n`), asJson({ aggregate: [{ op, column: "x" }] }));
    for (const [cell, op] of [
      ["1e999999", "sum"],
      ["1e10000", "sum"],
      ["1e400", "avg"],
      ["1e400", "median"],
    ] as const)
      expect((await of(cell, op)).code).toBe("too_large_to_read");
    expect(await sum(["1e-400"], "avg")).toBe(0);
  });

  it("of equal ones least and greatest are the first in the file, as it is written", async () => {
    for (const op of ["min", "max"])
      for (const cells of [
        ["4.10", "4.1", "4.100"],
        ["4.1", "4.10"],
      ])
        expect([op, await sum(cells, op)]).toEqual([op, cells[0]]);
  });
});

describe("groups", () => {
  it("by week are those of ISO 8601", async () => {
    const days = ["2026-01-31", "2021-01-03", "2020-12-31", "2024-12-30", "0000-01-01"];
    const { rows } = await askData(
      await csv(`d\n${days.join("\n")}\n`),
      asJson({ group: [{ column: "d", by: "week" }] }),
    );
    expect(rows.map(([key]: [string]) => key)).toEqual(["2026-W05", "2020-W53", "2025-W01", "-0001-W52"]);
  });

  it("end at the bound", async () => {
    const file = await csv(`x\n${Array.from({ length: 11 }, (_, n) => n).join("\n")}\n`);
    const question = asJson({ group: [{ column: "x" }] });
    expect((await askData(file, question, { ...QUERY_LIMITS, queryGroups: 11 })).groups).toBe(11);
    const refused = await askRefused(file, question, { ...QUERY_LIMITS, queryGroups: 10 });
    expect([refused.code, refused.message]).toEqual([
      "too_large_to_read",
      "There are over 10 groups. Group by something coarser, or filter first.",
    ]);
  });

  it("refuse the first matching cell that has no key, by its member, row and text", async () => {
    const file = await csv(PRICES);
    const refuse = async (question: object) => (await askRefused(file, asJson(question))).errors;
    expect(await refuse({ group: [{ column: "day", by: "day" }] })).toEqual({
      "group.0.by": [
        'Column "day", row 4: "2026-02" has no day. Group by something coarser, or leave it out with blank[]=2026-02.',
      ],
    });
    expect(await refuse({ group: [{ column: "city" }, { column: "price", step: "1" }] })).toEqual({
      "group.1.step": ['Column "price", row 4: "NA" is no number. Leave it out with blank[]=NA.'],
    });
  });
});

describe("sorting", () => {
  it("tells decimals of one double apart and puts astral characters last", async () => {
    const file = await csv("x\n0.10000000000000000001\n0.1\n😀\n\uffee\n1e999999\n1e1000000\n");
    const { rows } = await askData(file, asJson({ sort: [{ column: "x" }] }));
    expect(rows.flat()).toEqual(["0.1", "0.10000000000000000001", "1e999999", "1e1000000", "\uffee", "😀"]);
  });
});

describe("names of any kind", () => {
  it("are names and nothing else", async () => {
    const names = ["__proto__", "constructor", "a[0]", 'say "hi"', "line\nbreak"];
    const quoted = names.map((name) => `"${name.replaceAll('"', '""')}"`);
    const file = await csv(`${quoted.join(",")}\n1,2,3,4,5\n`);
    for (const column of names) {
      const asked = {
        group: [{ column }],
        aggregate: [{ op: "sum", column, as: "__proto__ 2" }],
        sort: [{ column }],
      };
      const data = await askData(file, asJson(asked));
      expect([data.columns, data.question]).toEqual([[column, "__proto__ 2"], asked]);
      expect(await askData(file, asJson(data.question))).toEqual(data);
    }
    const wide = await csv(
      `${Array.from({ length: 10_000 }, (_, n) => `c${n}`).join(",")}\n${",".repeat(9_999)}\n`,
    );
    expect((await askData(wide, "group[0][column]=c9999")).rows).toEqual([[null, 1]]);
  });
});

describe("reading a question", () => {
  const faults = (query: string) => readQuestion(query, "page", 500).errors;
  const faultsOf = (question: unknown) => Object.keys(faults(asJson(question as object))).toSorted();

  it("tells every fault on its own member", () => {
    expect(
      faultsOf({
        filter: [{ column: "a", op: "gt" }, { op: "is", value: [] }, 5],
        match: "some",
        group: [
          { column: "a", by: "minute" },
          { column: "a", by: "day", step: "x" },
        ],
        aggregate: [{ op: "sum" }, { op: "mode", column: "b" }, { op: "count", as: "a" }],
        sort: [{ column: "a", order: "up" }, { column: "a" }],
        columns: ["a", "a"],
        blank: "NA",
        facet_size: 0,
        offset: -1,
        limits: 3,
      }),
    ).toEqual(
      [
        ...["filter.0.value", "filter.1.column", "filter.1.op", "filter.2", "filter.2.column", "filter.2.op"],
        ...["match", "group.0.by", "group.1.column", "group.1.step", "aggregate.0.column", "aggregate.1.op"],
        ...["aggregate.2.as", "sort.0.order", "sort.1.column", "columns", "columns.1", "blank", "facet_size"],
        ...["offset", "limits"],
      ].toSorted(),
    );
  });

  it("refuses unknown members of every name", () => {
    expect(faults("__proto__=1&constructor=1")).toEqual({
      ["__proto__"]: [expect.stringContaining("no query parameter __proto__")],
      constructor: [expect.stringContaining("no query parameter constructor")],
    });
    expect(Object.keys(faults(`question=${encodeURIComponent('{"__proto__":1}')}`))).toEqual(["__proto__"]);
  });

  it("bounds every list", () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => `c${n}`);
    const question = {
      filter: many(11).map((column) => ({ column, op: "eq" })),
      group: many(4).map((column) => ({ column })),
      aggregate: many(11).map((column) => ({ op: "count", column })),
      having: many(6).map((column) => ({ column: `count_${column}`, op: "eq" })),
      sort: many(4).map((column) => ({ column })),
      facet: many(11),
      blank: many(11),
    };
    expect(faultsOf(question)).toEqual(["aggregate", "blank", "facet", "filter", "group", "having", "sort"]);
    expect(faultsOf({ columns: many(101) })).toEqual(["columns"]);
    expect(faultsOf({ filter: [{ column: "a", op: "in", value: many(101) }] })).toEqual(["filter.0.value"]);
    expect(faultsOf({ aggregate: [{ op: "count", column: "x".repeat(75) }] })).toEqual(["aggregate.0.as"]);
  });

  it("places what is no JSON by line and column", () => {
    expect(faults(`question=${encodeURIComponent('{"q":\n "a",]')}`)).toEqual({
      question: ["The question is no JSON from line 2, column 6 on."],
    });
    expect(Object.keys(faults("question=[]"))).toEqual(["question"]);
    expect(Object.keys(faults("question={}&q=x"))).toEqual(["question"]);
  });

  it("keeps the digits of JSON numbers", () => {
    const { question } = readQuestion(
      `question={"filter":[{"column":"a","op":"gt","value":1.00000000000000000001}]}`,
      "page",
      500,
    );
    expect(question.filters[0]?.value).toBe("1.00000000000000000001");
  });
});
