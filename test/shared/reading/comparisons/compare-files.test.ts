import { expect, test } from "vitest";
import { compareFiles } from "../../../../shared/reading/comparisons/compare-files.ts";
import { connectAuthor } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { openService } from "../../../support/service.ts";

const FILES: Record<string, string> = {
  "before.csv": "station,day,height_m\nHusum,1,4.10\nHusum,2,4.20\nBremen,1,4.10\n",
  "after.csv": "station,day,height_m,flag\nHusum,1,4.12,\nHusum,2,4.20,\nHusum,3,x,new\nBremen,2,4.20,\n",
  "two.json": '{"one":[{"a":1},{"a":2}],"two":[{"b":2}]}',
  "three.json": '{"one":[{"a":1},{"a":3}],"two":[{"b":2}],"three":[{"c":1}]}',
  "large.json": `[${Array.from({ length: 2_000 }, (_, n) => `{"n":${n}}`).join(",")}]`,
  "note.txt": "Nothing to see.\n",
};

const service = await openService({ workers: false, limits: { jsonTableBytes: 10_000 } });
const agent = await connectAuthor(service);
const ids: Record<string, string> = {};
// Uploads alone: no reader may see them.
for (const [name, content] of Object.entries(FILES))
  ids[name] = (await uploadReady(service, agent, name, content)).id;

const compare = (base: string, head: string, more: object = {}) =>
  compareFiles(service, { baseId: ids[base] ?? base, headId: ids[head] ?? head, ...more });

test("two files are compared by columns and counts, whether readers may see them or not", async () => {
  expect(await compare("before.csv", "after.csv")).toEqual({
    key: ["station", "day"],
    columns: {
      added: ["flag"],
      removed: [],
      same: ["station", "day", "height_m"],
      types: [{ name: "height_m", base: "number", head: "mixed" }],
      reordered: false,
    },
    summary: {
      ...{ added: 2, removed: 1, changed: 1, moved: 0, same: 1, cells: 1 },
      by_column: [{ name: "height_m", changed: 1 }],
    },
  });
});

test("a file and itself differ in nothing", async () => {
  const { summary } = await compare("after.csv", "after.csv");
  expect(summary).toEqual({ added: 0, removed: 0, changed: 0, moved: 0, same: 4, cells: 0, by_column: [] });
});

test("the lists of documents are compared by their name, and one has to be named", async () => {
  const { key, summary } = await compare("two.json", "three.json", { table: "one" });
  expect([key, summary.added, summary.removed, summary.same]).toEqual([["a"], 1, 1, 1]);
  await expect(compare("two.json", "three.json")).rejects.toMatchObject({ code: "table_required" });
  await expect(compare("two.json", "three.json", { table: "three" })).rejects.toMatchObject({
    code: "validation_failed",
    errors: { table: ['Base: The file has no such table; it has "one", "two".'] },
  });
});

test("what cannot be compared is refused", async () => {
  await expect(compare("note.txt", "after.csv")).rejects.toMatchObject({
    code: "not_tabular",
    message: "Base: The file is not a table: it is no CSV and holds no list of objects.",
  });
  await expect(compare("large.json", "large.json")).rejects.toMatchObject({ code: "too_large_to_read" });
  await expect(compare("two.json", "after.csv", { table: null })).rejects.toMatchObject({
    code: "table_required",
  });
  await expect(compare("before.csv", "01M7WVM8W0T8NYB19BE1ATAT9N")).rejects.toMatchObject({
    code: "not_found",
  });
  await expect(compare("before.csv", "after.csv", { key: ["station"] })).rejects.toMatchObject({
    code: "validation_failed",
    errors: { key: [expect.stringContaining("Rows 2 and 3 of the base have the same key.")] },
  });
  await expect(compare("before.csv", "after.csv", { key: ["flag"] })).rejects.toMatchObject({
    errors: { "key.0": ["Only one of the two files has this column. A key needs columns of both."] },
  });
});
