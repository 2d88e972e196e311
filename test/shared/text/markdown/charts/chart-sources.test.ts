import fc from "fast-check";
import { expect, test } from "vitest";
import { drawBlock } from "../../../../../shared/text/drawing/draw-block.ts";
import { checkChart, parseChart } from "../../../../../shared/text/markdown/charts/parse-chart.ts";
import { runs } from "../../../../support/depth.ts";

const FILE = {
  asset_id: "01M7WVM8W0T8NYB19BE1ATAT9N",
  content_sha256: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
};

function write(from: unknown, y = "n"): string {
  const encoding = { x: { field: "a", type: "nominal" }, y: { field: y, type: "quantitative" } };
  return JSON.stringify({ mark: "bar", data: { from }, encoding });
}

const csv = (rows: unknown[][]) => ({ format: "csv" as const, columns: ["a", "n"], rows });

test("a block tells its file and its question, numbers with every digit", () => {
  const source = write({ ...FILE, asset_id: FILE.asset_id.toLowerCase(), limit: 7 }).replace(
    '"limit":7',
    '"limit":7,"group":[{"column":"a","step":0.10000000000000000000001}]',
  );
  expect(checkChart(source)).toMatchObject({
    problems: [],
    from: {
      ...{ assetId: FILE.asset_id, contentSha256: FILE.content_sha256 },
      question: { limit: 7, groups: [{ column: "a", step: "0.10000000000000000000001" }] },
    },
  });
  expect(checkChart(write(FILE)).from?.question.limit).toBe(Number.MAX_SAFE_INTEGER);
});

test("a block without its rows is not drawn, and one with them is", () => {
  expect(parseChart(write(FILE))).toMatchObject({ ok: false, problems: [{ path: "data.from" }] });
  expect(drawBlock({ kind: "Chart", number: 1, source: write(FILE) })).toBeNull();
  const rows = JSON.stringify(csv([["Husum", "3.90"]]));
  expect(drawBlock({ kind: "Chart", number: 1, source: write(FILE), rows })).toContain("<td>Husum</td>");
});

test("cells of a CSV are numbers where the field is quantitative, and blank ones are missing", () => {
  const rows = [
    ["1", "1.50"],
    ["2", ""],
    ["3", "NA"],
    ["4", "-2e1"],
  ];
  const parsed = parseChart(write({ ...FILE, blank: ["NA"] }), csv(rows));
  expect(parsed.ok && parsed.chart.rows.map(({ x, y }) => [x, y])).toEqual([
    ["1", 1.5],
    ["2", null],
    ["3", null],
    ["4", -20],
  ]);
  for (const cell of ["1,5", "+5", " 5", "0x1", "Infinity", "1e999"])
    expect([cell, parseChart(write(FILE), csv([["a", cell]])).ok]).toEqual([cell, false]);
  const json = { ...csv([["a", "5"]]), format: "json" as const };
  expect(parseChart(write(FILE), json).ok).toBe(false);
  const odd = { format: "json" as const, columns: ["a", "__proto__"], rows: [["x", 1]] };
  expect(parseChart(write(FILE, "__proto__"), odd).ok).toBe(true);
});

test("a block that holds its rows is read as before, whatever rows are kept", () => {
  const values = [{ a: "x", n: 1 }];
  const source = write(FILE).replace(`{"from":${JSON.stringify(FILE)}}`, JSON.stringify({ values }));
  expect(parseChart(source, csv([["y", "2"]]))).toEqual(parseChart(source));
});

test("any value of data.from is taken or refused with sentences, never thrown at", () => {
  const members = fc.dictionary(
    fc.constantFrom(
      "asset_id",
      "content_sha256",
      "group",
      "filter",
      "limit",
      "sort",
      "__proto__",
      "a]\n",
      "blank",
    ),
    fc.jsonValue(),
  );
  const from = fc.oneof(
    fc.jsonValue(),
    members,
    members.map((more) => ({ ...FILE, ...more })),
  );
  fc.assert(
    fc.property(from, (value) => {
      const { problems, from: read } = checkChart(write(value));
      expect(problems.length > 0).toBe(read === null || !read.isWhole);
      for (const { message } of problems) expect(message).toMatch(/\S.*\.$/s);
    }),
    { numRuns: runs(10_000) },
  );
});
