import { expect, test } from "vitest";
import { data } from "./read-creation-page.ts";
import { DATASET } from "./samples.ts";

test("a page tells from when until when its rows are, by the columns that a dictionary calls their time", () => {
  const [file] = DATASET.files;
  const [table] = file?.stats ?? [];
  const [column] = table?.columns ?? [];
  if (!file || !table || !column) throw new Error("The sample has no such column.");
  const dated = (min: string, max: string) => ({ ...column, name: "day", type: "date" as const, min, max });
  const said = (more: object = {}) => ({ columns: [{ name: "day", role: "time" as const, ...more }] });
  const fileOf = (min: string, max: string, dictionary: ReturnType<typeof said> | null) => ({
    ...file,
    stats: [{ ...table, columns: [dated(min, max)] }],
    dictionary,
  });
  const late = fileOf("2026-11-18T10:00:00Z", "2026-11-20T09:00:00Z", said());
  const early = fileOf("2026-03", "2026-04", said());
  const covered = (files: object[], more: object = {}) =>
    data({ ...DATASET, files: files as typeof DATASET.files, ...more }).temporalCoverage;
  expect(covered([late])).toBe("2026-11-18/2026-11-20");
  expect(covered([late, early])).toBe("2026-03/2026-11-20");
  expect(covered([late], { showPreview: false })).toBeUndefined();
  // Its statistics are without them.
  expect(covered([fileOf("2026-01-01", "2026-01-03", said({ missing_values: ["9999-12-31"] }))])).toBe(
    "2026-01-01/2026-01-03",
  );
  expect(covered([fileOf("2026-01-01", "2026-01-02", null)])).toBeUndefined();
});
