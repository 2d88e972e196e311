import { expect, test } from "vitest";
import { pairFiles } from "../../../../shared/tables/differences/pair-files.ts";

const file = (label: string, filename: string, content_sha256: string) => ({
  label,
  filename,
  content_sha256,
});
const tell = (pairs: ReturnType<typeof pairFiles>) =>
  pairs.map(({ change, from, to }) => [change, from?.label ?? null, to?.label ?? null]);

test("files pair by label, then by file name, then by rank among those left", () => {
  const from = [file("Hourly", "h.csv", "1"), file("Daily", "d.csv", "2"), file("Old", "o.csv", "3")];
  const to = [file("New", "n.csv", "4"), file("Per day", "d.csv", "2"), file("Hourly", "h2.csv", "5")];
  expect(tell(pairFiles(from, to))).toEqual([
    ["changed", "Old", "New"],
    ["renamed", "Daily", "Per day"],
    ["changed", "Hourly", "Hourly"],
  ]);
});

test("a file that the other revision lacks was added or removed", () => {
  const both = file("Hourly", "h.csv", "1");
  const one = file("Daily", "d.csv", "2");
  expect(tell(pairFiles([both], [one, both]))).toEqual([
    ["added", null, "Daily"],
    ["same", "Hourly", "Hourly"],
  ]);
  expect(tell(pairFiles([one, both], [both]))).toEqual([
    ["same", "Hourly", "Hourly"],
    ["removed", "Daily", null],
  ]);
});

test("files of one label pair in their order", () => {
  const of = (hash: string) => file("Part", `${hash}.csv`, hash);
  expect(pairFiles([of("1"), of("2")], [of("1"), of("2")]).map(({ change }) => change)).toEqual([
    "same",
    "same",
  ]);
});

test("another file name of the same bytes is a renaming", () => {
  expect(tell(pairFiles([file("A", "a.csv", "1")], [file("A", "b.csv", "1")]))).toEqual([
    ["renamed", "A", "A"],
  ]);
});
