import { describe, expect, it } from "vitest";
import { refusals } from "./refused-csv.ts";
import { inspectAccepted, inspectTable, reasonOf } from "./sources.ts";

describe("a CSV is refused for", () => {
  it.each(refusals)("%s", async (_what, content, reason) => {
    expect(await reasonOf(content, "csv")).toMatch(reason);
  });
});

describe("a CSV is accepted with", () => {
  it("sample rows only while they stay within 1 MB, said in a hint", async () => {
    const { inspection, hints } = await inspectAccepted(`a\nx\n${"y".repeat(1_030_000)}\nz\n`, "csv");
    expect(inspection).toMatchObject({ row_count: 3, sample: [["x"]] });
    expect(hints).toEqual([
      {
        code: "sample_cut",
        message: "The sample stops after 1 of 3 rows: the next would take it over 1 MB.",
        rows: [3],
        columns: [],
        count: null,
      },
    ]);
  });

  it("names as Persian, Hindi and emoji are written, joiners and variation selectors in them", async () => {
    const names = ["می\u200cخواهم", "क्\u200dष", "👩\u200d🔬", "❤\ufe0f", "a\u00a0b"];
    const { columns } = await inspectTable(`${names.join(",")}\n1,2,3,4,5\n`, "csv");
    expect(columns.map(({ name }) => name)).toEqual(names);
  });
});
