import { expect, test } from "vitest";
import { runs } from "../../../support/depth.ts";
import { createRandom } from "../inspection/generated.ts";
import { type OracleTable, readTable } from "../rows/oracle/table.ts";
import { prepareFile } from "../rows/reading.ts";
import { type Compared, compareReady, compareTexts } from "./comparing.ts";
import { applyLines, type PlainRow } from "./oracle/apply.ts";
import { makePair, writeTable } from "./random-pairs.ts";
import { viewOf, writeAll, writePage } from "./writing.ts";

const PAIRS = runs(2_000);

function toRows({ columns, rows }: OracleTable): PlainRow[] {
  return rows.map((row) => {
    const cells = columns.map((name, at): [string, string] => [name, row[at]?.json ?? "null"]);
    return new Map(cells.filter(([, json]) => json !== "null"));
  });
}

function sortNames(rows: PlainRow[]) {
  return rows.map((row) => [...row].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The changes as the other direction tells them. */
function turn(text: string): string[] {
  const swap: Record<string, string> = { added: "removed", removed: "added" };
  const { rows } = JSON.parse(text, (_, value, context?: { source: string }) =>
    typeof value === "number" && !Number.isSafeInteger(value) ? context?.source : value,
  );
  return rows.map((change: Record<string, unknown>) => {
    const cells = Object.entries(change.cells ?? {}).map(([name, [one, other]]) => [name, [other, one]]);
    const name = String(change.change);
    const { key, row, base_row: head_row, head_row: base_row } = change;
    const members = { change: swap[name] ?? name, key, base_row, head_row, row: sortMembers(row ?? {}) };
    return JSON.stringify({ ...members, cells: cells.sort() });
  });
}

function sortMembers(row: object): [string, unknown][] {
  return Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1));
}

test(`all.ndjson makes the rows of the newer file of the older one, in order, for ${PAIRS} pairs`, async () => {
  const random = createRandom(31);
  for (let made = 0; made < PAIRS; made++) {
    const { format, ...pair } = makePair(random);
    const base = await prepareFile(writeTable(format, pair.base), format);
    const head = await prepareFile(writeTable(format, pair.head), format);
    const outcome = await compareReady(base, head);
    if (!outcome.ok) continue;
    const ndjson = writeAll(viewOf(outcome), "ndjson");
    const [before, after] = await Promise.all(
      [base, head].map(async ({ content }) => toRows(await readTable(content, format, null))),
    );
    const applied = applyLines(before ?? [], ndjson, format === "csv" ? 2 : 1);
    expect(sortNames(applied), `${base.content}→\n${head.content}\n${ndjson}`).toEqual(
      sortNames(after ?? []),
    );
    const page = writePage(viewOf(outcome));
    expect(page.text).toContain(`"rows":[${ndjson.trim().replaceAll("\n", ",")}],"returned":`);
    const back = await compareReady(head, base, { key: outcome.found.key });
    if (!back.ok) throw new Error(back.message);
    if (outcome.found.key !== null || back.found.key === null)
      expect(turn(writePage(viewOf(back)).text).sort()).toEqual(turnTwice(page.text).sort());
    const self = await compareReady(head, head);
    expect(self).toMatchObject({ ok: true, found: { counts: [0, 0, 0, 0, 0], cells: 0 } });
    expectSums(outcome);
  }
});

/** The changes of a page in the form that `turn` gives, unturned. */
function turnTwice(text: string): string[] {
  const once = turn(text).map((change) => JSON.parse(change));
  return turn(
    JSON.stringify({
      rows: once.map((change) => ({
        ...change,
        row: Object.fromEntries(change.row),
        cells: Object.fromEntries(change.cells),
      })),
    }),
  );
}

function expectSums({ found, plan }: Compared): void {
  const [added, removed, changed, moved] = found.counts;
  expect(added + changed + moved + found.same).toBe(plan.head.total);
  expect(removed + changed + moved + found.same).toBe(plan.base.total);
}

test("a row that differs only in a column of one file is listed, and counts as the same", async () => {
  const compared = await compareTexts("id,h,n\n1,5,a\n2,6,b\n", "n,id,h,flag\na,1,5,new\nb,2,7,\n", "csv", {
    key: ["id"],
  });
  const { data } = writePage(viewOf(compared));
  expect(data.summary).toMatchObject({ changed: 1, same: 1, added: 0, removed: 0, moved: 0 });
  expect(data.rows).toEqual([
    { change: "columns", key: ["1"], base_row: 2, head_row: 2, cells: { flag: [null, "new"] } },
    { change: "changed", key: ["2"], base_row: 3, head_row: 3, cells: { h: ["6", "7"] } },
  ]);
});

test("changes stand in the order of the newer file, a removed row where it stood", async () => {
  const base = "id,a\n1,x\n2,y\n3,z\n4,w\n5,v\n";
  const compared = await compareTexts(base, "id,a\n1,x\n3,Z\n6,n\n5,v\n4,w\n");
  expect(writePage(viewOf(compared)).data.rows).toEqual([
    { change: "removed", key: ["2"], base_row: 3, head_row: null, row: { id: "2", a: "y" } },
    { change: "changed", key: ["3"], base_row: 4, head_row: 3, cells: { a: ["z", "Z"] } },
    { change: "added", key: ["6"], base_row: null, head_row: 4, row: { id: "6", a: "n" } },
    { change: "moved", key: ["5"], base_row: 6, head_row: 5 },
  ]);
});

test("a page has the asked kinds, columns and part, and tells where the next one begins", async () => {
  const head = "id,a,b\n1,X,y\n2,X,Y\n3,z,z\n4,n,n\n";
  const compared = await compareTexts("id,a,b\n1,x,y\n2,x,y\n3,z,z\n5,o,o\n", head);
  const changed = writePage(viewOf(compared, [2], ["b", "id"]));
  expect(changed.data).toMatchObject({
    rows: [
      { key: ["1"], cells: {} },
      { key: ["2"], cells: { b: ["y", "Y"] } },
    ],
    ...{ returned: 2, matched: 2, next_offset: null },
  });
  const first = writePage(viewOf(compared), { offset: 1, limit: 1 });
  expect(first.data).toMatchObject({ returned: 1, matched: 4, next_offset: 2 });
  const cut = writePage(viewOf(compared), { mostBytes: 150 });
  expect(cut.data).toMatchObject({ returned: 1, matched: 4, next_offset: 1 });
  expect(writePage(viewOf(compared), { offset: 9 }).data).toMatchObject({ returned: 0, next_offset: null });
});
