import { expect, test } from "vitest";
import {
  describeCounts,
  describeSum,
  joinPieces,
  mirrorCounts,
  NOTHING_CHANGED,
} from "../../../../shared/tables/differences/row-counts.ts";

const change = (more: object) => ({ ...NOTHING_CHANGED, ...more });
const words = (more: object) => joinPieces(describeCounts(change(more)));
const heights = { name: "height_m", changed: 3 };

test.each([
  [{}, ""],
  [{ added: 1 }, "1 row added"],
  [{ added: 12_480, removed: 2 }, "12,480 rows added, 2 rows removed"],
  [{ added: 24, changed: 3, cells: 3, by_column: [heights] }, "24 rows added, 3 cells of height_m changed"],
  [{ changed: 1, cells: 1, by_column: [{ name: "", changed: 1 }] }, "1 cell changed"],
  [
    { changed: 3, cells: 4, by_column: [heights, { name: "flag", changed: 1 }] },
    "4 cells of 2 columns changed",
  ],
  [{ columns_added: ["flag"], columns_removed: ["x", "y"] }, "column flag added, 2 columns removed"],
  [{ columns_removed: [" "] }, "1 column removed"],
])("the counts %j are told as %j", (counts, expected) => {
  expect(words(counts)).toBe(expected);
});

test("the name of a column is a piece of its own, whatever it says", () => {
  const name = "<b> 5 rows added";
  expect(describeCounts(change({ cells: 2, by_column: [{ name, changed: 2 }] }))).toEqual([
    "2 cells of ",
    { name },
    " changed",
  ]);
});

test("the sum of several files names no column", () => {
  const one = change({ added: 20, cells: 2, by_column: [heights], columns_added: ["flag"] });
  const other = change({ added: 4, removed: 1, cells: 1, by_column: [{ name: "day", changed: 1 }] });
  expect(describeSum([one, other])).toBe("24 rows added, 1 row removed, 3 cells changed, 1 column added");
  expect(describeSum([])).toBe("");
});

test("the way back has rows and columns turned round, and again the way there", () => {
  const there = change({ added: 2, removed: 1, changed: 3, cells: 4, columns_added: ["flag"] });
  const back = mirrorCounts(there);
  expect(back).toMatchObject({
    added: 1,
    removed: 2,
    changed: 3,
    columns_added: [],
    columns_removed: ["flag"],
  });
  expect(mirrorCounts(back)).toEqual(there);
});
