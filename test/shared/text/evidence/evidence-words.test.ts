import { describe, expect, test } from "vitest";
import {
  describeEvidence,
  describeNow,
  type NowWords,
} from "../../../../shared/text/evidence/evidence-words.ts";

const NOW: NowWords = {
  ...{ state: "holds", value: "4.21 m", rows_changed: null, revision_number: 5 },
  asked_at: "2026-12-02T07:00:04Z",
};

describe("what is said of a figure or chart", () => {
  test.each<[Partial<NowWords>, string]>([
    [{}, "Holds in revision 5 (2 December)"],
    [{ revision_number: null }, "Holds in the newest revision (2 December)"],
    [{ state: "differs" }, "4.21 m in revision 5"],
    [{ state: "differs", value: null, rows_changed: 1 }, "1 row differs in revision 5"],
    [{ state: "differs", value: null, rows_changed: 3 }, "3 rows differ in revision 5"],
    [{ state: "differs", value: null, rows_changed: 0 }, "its rows stand in another order in revision 5"],
    [{ state: "cannot_be_asked" }, "can no longer be asked"],
    [{ state: "source_closed" }, "its source is closed"],
    [{ state: "not_asked" }, "not asked yet"],
  ])("%o", (of, words) => {
    expect(describeNow({ ...NOW, ...of })).toBe(words);
  });
});

const COUNTS = {
  ...{ figures: 3, charts_from_data: 0, holds: 3, differs: 0, cannot_be_asked: 0 },
  ...{ numbers_in_text: 17, numbers_checked: 9 },
};
const NUMBERS = "9 of 17 numbers in this text are checked against data";

describe("what is said of a text", () => {
  test.each<[Partial<typeof COUNTS>, string | null]>([
    [{}, `${NUMBERS}; all hold.`],
    [{ holds: 2, differs: 1 }, `${NUMBERS}; 1 no longer holds.`],
    [{ holds: 1, differs: 2 }, `${NUMBERS}; 2 no longer hold.`],
    [{ holds: 2, cannot_be_asked: 1 }, `${NUMBERS}; 1 can no longer be asked.`],
    [
      { holds: 1, differs: 1, cannot_be_asked: 1 },
      `${NUMBERS}; 1 no longer holds; 1 can no longer be asked.`,
    ],
    // One whose source is closed, or that was not asked, is not said to hold.
    [{ holds: 2 }, `${NUMBERS}.`],
    [{ figures: 0, holds: 1, charts_from_data: 1 }, "1 chart is drawn from data; all hold."],
    [
      { figures: 0, holds: 0, charts_from_data: 2, differs: 2 },
      "2 charts are drawn from data; 2 no longer hold.",
    ],
    [{ charts_from_data: 1, differs: 1 }, `${NUMBERS}, and 1 chart drawn from them; 1 no longer holds.`],
    [{ figures: 0, holds: 0 }, null],
  ])("%o", (of, words) => {
    expect(describeEvidence({ ...COUNTS, ...of })).toBe(words);
  });
});
