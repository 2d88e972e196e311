import { describe, expect, test } from "vitest";
import { readCorpus } from "../../../shared/tables/inspection/sources.ts";
import { runs } from "../../../support/depth.ts";
import { openStage, type Step } from "./play.ts";

interface Case {
  id: string;
  kind: string;
  steps: Step[];
}

// The corpora lie beside the project where they lie at all.
const corpus = readCorpus<Case[]>("replay.json");
const ABOUT_TABLES = /^(?:csv|json|numbers|diff|types|parquet)\b|^charts\/dates$/;
// What an upload alone is told has tests of pure code (test/shared/tables).
const cases = (corpus ?? []).filter(
  ({ kind, steps }) => ABOUT_TABLES.test(kind) && steps.some(({ op }) => op !== "upload"),
);

/** A file that is read as it is written, with types and hints. */
const taken = (types: string, hints = "", told = /^/) => ({
  ...{ refused: null, types, hints },
  told: expect.stringMatching(told),
});
const rows = (...lines: string[]) => lines.map((line) => line.split("|"));
/** A Parquet file whose readers find these columns. */
const parquet = (...columns: string[][]) => ({ isAlike: true, columns, byDuckDb: columns });

const DATA_FRAME = taken("document", "data_frame", /orient="records"/);

/** What each case asks for, as the answers to its steps; null where a step has nothing to tell. */
const RULES: Record<string, unknown[]> = {
  "1-versions": [
    taken("number number"),
    null,
    parquet(["text 1.10", "text 1.1", "text 2.0"], ["1", "2", "3"]),
  ],
  "1-zip-snippets": [
    taken("text text number", "leading_zeros"),
    null,
    {
      Node: [["001", "00501", 34], expect.anything()],
      DuckDB: [
        ["001", "00501", 34],
        ["002", "01010", 57],
      ],
    },
  ],
  "1-codes-with-E": [
    taken("text number", "leading_zeros"),
    null,
    parquet(["text 12E12", "text 34E05", "text 10E3"], ["1", "2", "3"]),
  ],
  "9b-newline-header": [
    taken("number number number"),
    null,
    rows("3"),
    expect.stringMatching(/^\| x \|.*\n\| y \|.*\n\| test 123 \| number \| {2}\| {2}\|$/m),
  ],
  "13b-old-dates": [
    taken("date number"),
    null,
    rows("0001-01-01|2", "1582-10-10|3", "1899-12-31|1", "9999-12-31|5"),
    parquet(["day -25568", "day -719162", "day -141432", "day 2932896"], ["1", "2", "3", "5"]),
  ],
  "O-pandas-dict-of-lists": [DATA_FRAME, null, "409 not_tabular"],
  "O-pandas-values": [DATA_FRAME, null, "409 not_tabular"],
  "O-pandas-split": [DATA_FRAME, null, "409 not_tabular"],
  "15c-big-id-snippets": [
    taken("number text", "long_numbers"),
    null,
    {
      Node: rows("9007199254740993|a", "1729384756102938475|b"),
      DuckDB: rows("9007199254740993|a", "1729384756102938475|b"),
    },
  ],
  "15d-chart-inline-ids": [
    {
      refused: null,
      rows: rows("1729384756102938475|1", "1729384756102938476|2"),
    },
  ],
  "O-excel-bom": [taken("text number"), null, "name,v\r\nMüller,1\r\n", "\ufeffname,v\r\nMüller,1\r\n"],
  "17b-null-keys-diff": [taken("number text"), null, null, { added: 1, removed: 1, changed: 0, same: 2 }],
  // As specified, other cells than two numbers compare as texts: the hint says where there are such.
  "19b-mixed-comparison": [
    taken("text mixed", "missing_value_marks mixed_column", /row 3 holds "0164A", a text/),
    null,
    rows("100", "0164A", "n/a"),
  ],
  "20d-parquet-race": [[200]],
  "20b-zero-rows": [taken("blank blank", "no_rows"), null, { isAlike: true, columns: [[], []] }],
  "22b-hourly": [
    taken("date number"),
    null,
    {
      refused: null,
      rows: [
        ["2026-01-01T00", "1"],
        ["2026-01-01T01", "2"],
      ],
    },
  ],
};

/** Steps beyond those of the report: the way that is documented for what it asks for. */
const MORE: Record<string, Step[]> = {
  "O-excel-bom": [{ name: "", op: "get", path: "/media/{asset}/rows/all.csv?bom=1" }],
};

/** The cells of a text without quotes, as its commas say. */
const cut = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => line.split(",").map((cell) => cell || null));

describe.skipIf(corpus === null)("reports of tables, replayed", async () => {
  const stage = corpus === null ? null : await openStage();

  test("each has its rule", () => {
    expect(cases.map(({ id }) => id).toSorted()).toEqual(Object.keys(RULES).toSorted());
  });

  test.each(cases)("$id", async ({ id, steps }) => {
    const played = steps.map((step) => ({ ...step, ...(step.times && { times: runs(step.times, 4) }) }));
    const answers = await stage?.play([...played, ...(MORE[id] ?? [])]);
    expect(answers).toMatchObject(RULES[id] ?? []);
    const [{ name = "", text = '"' } = {}] = steps;
    if (name.endsWith(".csv") && !text.includes('"') && Reflect.get(Object(answers?.[0]), "refused") === null)
      expect(answers?.[0]).toMatchObject({ table: cut(text) });
  });
});
