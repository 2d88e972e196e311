import { describe, expect, test } from "vitest";
import { boundAnswer } from "../../../api/mcp/bound-answer.ts";
import type { Bounds } from "../../../api/mcp/bounds.ts";
import type { Json } from "../../support/agent.ts";

const BOUNDS: Bounds = {
  mostBytes: 2_000,
  parts: null,
  fromLine: null,
  offset: 0,
  hasPages: true,
  hasParts: true,
};

/** The answer within the bounds, which it is held to. */
function bound(answer: Json | string, more: Partial<Bounds> = {}): Json {
  const bounds = { ...BOUNDS, ...more };
  const text = boundAnswer(typeof answer === "string" ? answer : JSON.stringify(answer), bounds);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bounds.mostBytes);
  return JSON.parse(text);
}

const rowsOf = (rows: unknown[], more: object = {}) => ({
  data: { columns: ["day", "note"], rows, returned: rows.length, matched: 500, next_offset: null, ...more },
});

describe("rows", () => {
  const rows = Array.from({ length: 300 }, (_, at) => [at, `row ${at} "ä"`]);

  test("that a question in an address skips are not read again", () => {
    const { data } = bound(rowsOf(rows, { question: { offset: "40" } }));
    expect(data.next_offset).toBe(40 + data.returned);
  });

  test.each([["ä".repeat(3_000)], ['"\n'.repeat(3_000)], [{ deep: ["x".repeat(9_000)] }]])(
    "come one at least: its long cells are cut and told",
    (cell) => {
      const { data } = bound(
        rowsOf(
          [
            [7, cell],
            [8, "b"],
          ],
          { next_offset: null },
        ),
        { offset: 12 },
      );
      expect(data).toMatchObject({ returned: 1, next_offset: 13 });
      expect(data.rows[0][0]).toBe(7);
      expect(data.rows[0][1]).toMatch(/…$/);
      const bytes = Buffer.byteLength(JSON.stringify(cell));
      expect(data.cut).toEqual([{ row: 12, column: "note", bytes }]);
    },
  );

  test("keep their digits", () => {
    const digits = `{"data":{"columns":["a"],"rows":[[12345678901234567890,1.50],["${"x".repeat(3_000)}"]],"returned":2,"next_offset":null}}`;
    expect(boundAnswer(digits, BOUNDS)).toContain("[[12345678901234567890,1.50]]");
  });

  test("of groups leave room for counted values", () => {
    const values = rows.map(([value]) => ({ value, count: 1 }));
    expect(bound(rowsOf(rows, { facets: [{ column: "day", values }] })).data.rows.length).toBeGreaterThan(0);
  });
});

describe("lists", () => {
  const items = Array.from({ length: 60 }, (_, id) => ({ id, title: `Work ${id} ${"x".repeat(60)}` }));
  const pageOf = (page: number, size: number) => ({
    data: items.slice((page - 1) * size, page * size),
    meta: { current_page: page, per_page: size, total: items.length },
  });

  test("that are cut say what their page is now, and lead nowhere else", () => {
    const links = { next: "http://localhost/creations?page=3" };
    const { data, meta, note, ...rest } = bound({ ...pageOf(2, 20), links }, { mostBytes: 1_500 });
    const size = data.length;
    expect(size).toBeLessThan(20);
    expect(meta).toMatchObject({ current_page: 20 / size + 1, per_page: size, to: 20 + size, total: 60 });
    expect(note).toContain(`page ${meta.current_page + 1}.`);
    expect([meta.last_page, rest]).toEqual([60 / size, {}]);
  });

  test("of events go on with the cursor of the last one", () => {
    const events = items.map((item) => ({ ...item, id: "01M7X0E2M0001K8JH7WZ3SF2QP" }));
    const sent = { cursor: "zz", has_more: false, gap: false };
    const { data, meta, note, links } = bound({
      data: events,
      meta: sent,
      links: { next: "/events?after=zz" },
    });
    expect(links).toBeUndefined();
    expect(data.length).toBeLessThan(60);
    expect(meta.has_more).toBe(true);
    expect(meta.cursor).not.toBe("zz");
    expect(note).toContain("after");
  });

  test("without pages of other sizes keep their items, with shorter texts", () => {
    const hits = items.slice(0, 20).map((item) => ({ ...item, summary: "ö".repeat(400) }));
    const { data, note } = bound(
      { data: hits, meta: { per_page: 20 } },
      { hasPages: false, mostBytes: 12_000 },
    );
    expect(data).toHaveLength(20);
    expect(note).toContain("max_bytes");
  });
});

describe("texts", () => {
  const lines = Array.from({ length: 400 }, (_, at) =>
    at % 7 === 0 ? "" : `Line ${at}: "ä" \\ ${"x".repeat(at % 40)}`,
  );
  const body_markdown = lines.join("\n");

  test("that are one line come cut, with their bytes", () => {
    const text = "ä".repeat(5_000);
    const { data, cut, next_from } = bound({ data: { body_markdown: text } });
    expect(data.body_markdown).toMatch(/^ä+…$/);
    expect([cut, next_from]).toEqual([[{ row: 1, column: "body_markdown", bytes: 10_002 }], null]);
  });

  test("take half where the rest is long too", () => {
    const answer = bound({ data: { body_markdown, sources: lines.map((title) => ({ title })) } });
    expect(answer.data.body_markdown.length).toBeGreaterThan(300);
    expect(answer.note).toContain("lists after");
    expect(answer.next_from).toBeGreaterThan(1);
  });

  test("that fit are whole, and nothing is added", () => {
    expect(bound({ data: { body_markdown: "Short." } })).toEqual({ data: { body_markdown: "Short." } });
  });

  test("of evidence are its facts, the counts first", () => {
    const now = { state: "differs", value: "4 m", reason: null, revision_number: 2, asset_id: "F" };
    const figure = { text: "3 m", value: "3", unit: "m", question: { aggregate: [] }, creation: {}, now };
    const chart = { number: 1, title: null, rows: 7, bound: { question: {} }, now: null };
    const work = { data: { id: "A", charts: [chart], figures: [figure], evidence: { differs: 1 } } };
    const { data } = bound(work, { parts: ["evidence"] });
    expect(data).toEqual({
      evidence: { differs: 1 },
      id: "A",
      charts: [{ number: 1, rows: 7 }],
      figures: [
        { text: "3 m", value: "3", unit: "m", now: { state: "differs", value: "4 m", revision_number: 2 } },
      ],
    });
    expect(Object.keys(data)[0]).toBe("evidence");
    expect(bound(work, { parts: ["evidence", "without_text"] }).data.figures).toEqual([figure]);
  });
});

test.each([
  ["members without end", Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`m${at}`, "x"]))],
  ["names without end", { ["x".repeat(9_000)]: 1 }],
  ["depth", Array.from({ length: 90 }, () => Array.from({ length: 90 }, () => ["x".repeat(90)]))],
  ["digits", [[1, "9".repeat(4_000)]]],
])("an answer of %s is held to its bytes all the same", (_, data) => {
  expect(bound({ data }).note).toContain("max_bytes");
});
