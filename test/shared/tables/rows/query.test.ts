import { describe, expect, it } from "vitest";
import { parseRowsQuery } from "../../../../shared/tables/rows/query.ts";

function parse(query: string) {
  return parseRowsQuery(new URLSearchParams(query), { rowsPerCall: 500 });
}

function errorsOf(query: string): string[] {
  const parsed = parse(query);
  return parsed.ok ? [] : Object.keys(parsed.errors);
}

describe("a rows query", () => {
  it("has defaults", () => {
    expect(parse("")).toEqual({
      ok: true,
      query: {
        ...{ offset: 0, limit: 100, table: null, from: "start", columns: null },
        ...{ filters: [], match: "all", q: null, blank: [], blankOf: [] },
      },
    });
  });

  it("takes every parameter", () => {
    const query =
      "offset=5&limit=7&table=t&from=end&columns[]=b&columns[]=a&filter[3][column]=a&filter[3][op]=gte&filter[3][value]=4";
    expect(parse(query)).toEqual({
      ok: true,
      query: {
        offset: 5,
        limit: 7,
        table: "t",
        from: "end",
        columns: ["b", "a"],
        filters: [{ index: 3, column: "a", op: "gte", value: "4", values: [] }],
        ...{ match: "all", q: null, blank: [], blankOf: [] },
      },
    });
  });

  it.each(["columns[]=a&columns[]=b", "columns[0]=a&columns[1]=b", "columns=a&columns=b"])(
    "reads columns from %s",
    (query) => {
      expect(parse(query)).toMatchObject({ query: { columns: ["a", "b"] } });
    },
  );

  it("cuts a limit above the maximum", () => {
    expect(parse("limit=501")).toMatchObject({ ok: true, query: { limit: 500 } });
    expect(parse("limit=99999999999999999999")).toMatchObject({ ok: true, query: { limit: 500 } });
  });

  it("refuses parameters that it does not know, with the nearest one and all that there are", () => {
    const all =
      "There are offset, limit, table, from, columns[], filter[n][column], filter[n][op], filter[n][value].";
    expect(parse("fliter[0][column]=a&fliter[0][op]=eq&Colums=2&sort=a")).toMatchObject({
      ok: false,
      errors: {
        fliter: [`There is no query parameter fliter. Did you mean filter? ${all}`],
        Colums: [`There is no query parameter Colums. Did you mean columns? ${all}`],
        sort: [`There is no query parameter sort. ${all}`],
      },
    });
    expect(errorsOf(Array.from({ length: 900 }, (_, each) => `x${each}=1`).join("&"))).toHaveLength(20);
  });

  it("tells every fault at once", () => {
    const faulty =
      "limit=0&offset=x&fliter=1&filter[0][column]=a&filter[0][op]=like&filter[1][colum]=b&from=up";
    const named = ["fliter", "offset", "limit", "from", "filter.1.colum", "filter.0.op"];
    expect(errorsOf(faulty)).toEqual(expect.arrayContaining(named));
    expect(parse("filter[2][colum]=b&filter[2][op]=eq").ok).toBe(false);
    expect(parse("filter[2][colum]=b&filter[2][op]=eq")).toMatchObject({
      errors: {
        "filter.2.colum": [
          "A condition has no member colum. Did you mean column? There are column, op, value.",
        ],
      },
    });
  });

  it("reads an omitted value as none, and an empty one as empty", () => {
    expect(parse("filter[0][column]=a&filter[0][op]=eq")).toMatchObject({
      query: { filters: [{ value: null }] },
    });
    expect(parse("filter[0][column]=a&filter[0][op]=ne&filter[0][value]=")).toMatchObject({
      query: { filters: [{ value: "" }] },
    });
  });

  const many = Array.from({ length: 101 }, (_, i) => `columns[]=c${i}`).join("&");
  const conditions = (count: number) =>
    Array.from({ length: count }, (_, i) => `filter[${i}][column]=a&filter[${i}][op]=eq`).join("&");

  it.each([
    ["limit=0", "limit"],
    ["limit=-1", "limit"],
    ["limit=ten", "limit"],
    ["limit=1.5", "limit"],
    ["limit=", "limit"],
    ["offset=-1", "offset"],
    ["offset=99999999999999999999", "offset"],
    ["offset=1e3", "offset"],
    ["from=middle", "from"],
    ["columns[]=a&columns[]=a", "columns.1"],
    [many, "columns"],
    [conditions(6), "filter"],
    ["filter[0][column]=a&filter[0][op]=like&filter[0][value]=x", "filter.0.op"],
    ["filter[0][column]=a&filter[0][value]=x", "filter.0.op"],
    ["filter[2][op]=eq", "filter.2.column"],
    ["filter[0][column]=a&filter[0][op]=gt", "filter.0.value"],
    ["filter[0][column]=a&filter[0][op]=contains&filter[0][value]=", "filter.0.value"],
    ["filter=a", "filter"],
    ["filter[a][column]=x", "filter"],
    ["offset=1&offset=2", "offset"],
    ["table=a&table=a", "table"],
    ["filter[0][column]=a&filter[0][op]=eq&filter[0][op]=ne", "filter.0.op"],
    ["filter[0][column]=a&filter[0][column]=b&filter[0][op]=eq", "filter.0.column"],
    ["filter[0][column]=a&filter[0][op]=eq&filter[0][value]=&filter[0][value]=", "filter.0.value"],
  ])("is refused for %s", (query, key) => {
    expect(errorsOf(query)).toEqual([key]);
  });

  it("takes five conditions and a hundred columns", () => {
    expect(parse(conditions(5))).toMatchObject({ ok: true });
    expect(parse(many.replace("&columns[]=c100", ""))).toMatchObject({ ok: true });
  });

  it("takes a value of a thousand characters, however many bytes they have, and no longer one", () => {
    const condition = "filter[0][column]=a&filter[0][op]=eq&filter[0][value]=";
    const value = encodeURIComponent("😀".repeat(1_000));
    expect(parse(`${condition}${value}`)).toMatchObject({ ok: true });
    expect(errorsOf(`${condition}${value}x`)).toEqual(["filter.0.value"]);
  });
});
