import { expect, test } from "vitest";
import { MINUTE_MS } from "../../../../shared/ground/times.ts";
import { sweepDueSchedules } from "../../../../shared/works/creations/schedules.ts";
import { connectAuthor, type Json, makeCreation } from "../../../support/agent.ts";
import { openService, untilJobsAreDone } from "../../../support/service.ts";
import { attachmentsOf, publishDataset, readerOf, table, update } from "./datasets.ts";

const service = await openService({ limits: { updatesPerDay: 1_000 } });
const agent = await connectAuthor(service, { handle: "tidewatch" });
const read = readerOf(service, "tidewatch");

const DAYS = ["2026-11-18,4.10", "2026-11-19,4.20", "2026-11-20,4.30"];
const GROWN = table("2026-11-18,4.15", ...DAYS.slice(1), "2026-11-21,4.40", "2026-11-22,4.50");
const NONE = { columns_added: [], columns_removed: [] };

/** What the kept counts and the diff asked for by hand have in common. */
async function askByHand(diffUrl: string): Promise<Json> {
  const { status, json } = await read.get(diffUrl);
  expect([diffUrl, status]).toEqual([diffUrl, 200]);
  const { key, summary, columns } = json.data;
  const { added, removed, changed, cells, by_column } = summary;
  const named = { columns_added: columns.added, columns_removed: columns.removed };
  return { key, added, removed, changed, cells, ...named, by_column };
}

test("an update says how many rows and cells it changed, in every place, as the diff by hand does", async () => {
  const work = await publishDataset(agent, "grown", [["Hourly", "hourly.csv", table(...DAYS)]]);
  await update(agent, work, [["Hourly", "hourly-2.csv", GROWN]]);
  await untilJobsAreDone(service);
  const [{ asset_id: head }] = await attachmentsOf(agent, work);
  const [[told], first] = await read.changes("grown");
  expect(first).toBeNull();
  const counts = { rows_added: 2, rows_removed: 0, rows_changed: 1, cells_changed: 1, ...NONE };
  expect(told).toEqual({
    label: "Hourly",
    ...counts,
    diff_url: expect.stringContaining(`/media/${head}/diff?`),
  });
  const [file] = (await read.diff("grown", "1..2")).files;
  expect(file.diff_url).toBe(told.diff_url);
  expect(file.rows).toEqual({
    ...{ key: ["day"], added: 2, removed: 0, changed: 1, cells: 1 },
    ...{ ...NONE, by_column: [{ name: "height_m", changed: 1 }] },
  });
  expect(await askByHand(told.diff_url)).toEqual(file.rows);
  const own = (await agent.get(`/creations/${work.id}/revisions/1/diff/2`)).json.data;
  expect(own.files).toEqual([file]);
  const words = "2 rows added, 1 cell of <bdi>height_m</bdi> changed";
  expect(await read.page("grown")).toContain(`<p><bdi>Hourly</bdi>: ${words}.</p>`);
  const page = await read.diffPage("grown", "1..2");
  expect(page).toContain(`<p>${words}</p>`);
  // People read there which rows those are.
  const [path = "", query] = told.diff_url.replace("http://localhost:3000", "").split("?");
  for (const [url, start] of [
    [`${path}/all.csv?${query}`, "@@,day,height_m"],
    [`${path}/all.ndjson?${query}`, '{"change":"changed"'],
    [`${path}?${query}`, '{"data":'],
  ] as const) {
    expect(page).toContain(`<a href="${url}" type=`);
    expect((await read.get(url)).text.slice(0, start.length)).toBe(start);
  }
  const feed = await read.feed("grown");
  expect(feed).toContain("Revision 2: 2 rows added, 1 cell changed");
  expect(feed).toContain("Newer readings. Hourly: 2 rows added, 1 cell of height_m changed.");
});

test("the way back has the counts turned round, and so has a pair of files in other revisions", async () => {
  const first = ["Hourly", "hourly.csv", table(...DAYS, "2026-11-23,4.00")] as const;
  const work = await publishDataset(agent, "around", [first]);
  const before = await attachmentsOf(agent, work);
  await update(agent, work, [["Hourly", "hourly-2.csv", GROWN]]);
  const after = await attachmentsOf(agent, work);
  await update(agent, work, after, { title: "Gauge readings, corrected" });
  await update(agent, work, before);
  await update(agent, work, after, { release: {} });
  await untilJobsAreDone(service);
  const rowsOf = async (range: string) => (await read.diff("around", range)).files[0].rows;
  const there = await rowsOf("1..2");
  expect(there).toMatchObject({ added: 2, removed: 1, changed: 1, cells: 1 });
  expect(await rowsOf("2..1")).toEqual({ ...there, added: 1, removed: 2 });
  expect(await rowsOf("1..3")).toEqual(there);
  expect(await rowsOf("3..4")).toEqual({ ...there, added: 1, removed: 2 });
  expect(await rowsOf("1..4")).toMatchObject({ key: null, added: 0, removed: 0, changed: 0, cells: 0 });
  const changes = await read.changes("around");
  expect(changes.map((change) => change?.length ?? null)).toEqual([1, 0, 1, null]);
  // The draft has the files of revision 2, so its diff from the first is known too.
  const own = (await agent.get(`/creations/${work.id}/revisions/1/diff/5`)).json.data;
  expect([own.to.published_at, own.files[0].rows]).toEqual([null, there]);
  expect(own.files[0].diff_url).not.toBeNull();
});

test("each file has its own counts: renamed, removed, no table, of another format, with several lists", async () => {
  const list = (...heights: number[]) => JSON.stringify(heights.map((height_m, day) => ({ day, height_m })));
  const lists = (count: number) => `{"a": ${list(count)}, "b": ${list(count)}}`;
  const work = await publishDataset(agent, "many", [
    ["Daily", "daily.csv", table(...DAYS)],
    ["Gone", "gone.csv", table("2026-11-18,1")],
    ["Notes", "notes.json", '{"text": "One."}'],
    ["Turned", "turned.csv", table("2026-11-18,2")],
    ["Lists", "lists.json", lists(1)],
    ["Records", "records.json", list(1, 2)],
    ["Kept", "kept.csv", table("2026-11-18,3")],
  ]);
  const [daily, , , , , , kept] = await attachmentsOf(agent, work);
  await update(agent, work, [
    { ...daily, label: "By day" },
    ["Notes", "notes-2.json", '{"text": "Two."}'],
    ["Turned", "turned.json", list(2)],
    ["Lists", "lists-2.json", lists(2)],
    ["Records", "records-2.json", list(1, 3, 4)],
    kept,
  ]);
  await untilJobsAreDone(service);
  const { files } = await read.diff("many", "1..2");
  const seen = files.map(({ label, change, rows, diff_url }: Json) => [
    ...[label, change, rows && [rows.added, rows.removed, rows.cells], diff_url !== null],
  ]);
  expect(seen).toEqual([
    ["By day", "renamed", [0, 0, 0], false],
    ["Notes", "changed", null, false],
    ["Turned", "changed", null, false],
    ["Lists", "changed", null, true],
    ["Records", "changed", [1, 0, 1], true],
    ["Kept", "same", [0, 0, 0], false],
    ["Gone", "removed", null, false],
  ]);
  const [changed] = await read.changes("many");
  expect(
    changed.map(({ label, rows_added, diff_url }: Json) => [label, rows_added, diff_url !== null]),
  ).toEqual([
    ["Notes", null, false],
    ["Turned", null, false],
    ["Lists", null, true],
    ["Records", 1, true],
  ]);
  expect(await read.feed("many")).toContain("Revision 2: 1 row added, 1 cell changed");
});

test("works of another type have files in their diffs, and no counts of rows", async () => {
  const payloadOf = async (name: string, text: string) => ({
    title: "Notes",
    attachments: [{ label: "Notes", asset_id: (await agent.upload(name, text)).json.data.id }],
  });
  const payload = await payloadOf("notes.txt", "One.");
  const work = await makeCreation(agent, { type: "file", slug: "notes", payload, publish: {} });
  const body = { payload: await payloadOf("notes-2.txt", "Two."), change_summary: "Newer.", publish: {} };
  await agent.send("PATCH", `/creations/${work.id}`, body, { ifMatch: work.lock_version });
  await untilJobsAreDone(service);
  expect(await read.changes("notes")).toEqual([null, null]);
  const [{ change, rows, diff_url }] = (await read.diff("notes", "1..2")).files;
  expect([change, rows, diff_url]).toEqual(["changed", null, null]);
});

test("columns that come and go are named", async () => {
  const work = await publishDataset(agent, "columns", [["Hourly", "hourly.csv", "day,height_m,x\n1,2,3\n"]]);
  await update(agent, work, [["Hourly", "hourly-2.csv", "day,height_m,flag\n1,2,ok\n2,3,ok\n"]]);
  await untilJobsAreDone(service);
  const [[told]] = await read.changes("columns");
  expect(told).toMatchObject({ rows_added: 1, columns_added: ["flag"], columns_removed: ["x"] });
  expect(await read.page("columns")).toContain(
    "1 row added, column <bdi>flag</bdi> added, column <bdi>x</bdi> removed.",
  );
});

test("other bytes with the same rows say so on the page of the diff, and nothing elsewhere", async () => {
  const work = await publishDataset(agent, "quoted", [["Hourly", "hourly.csv", "day,height_m\n1,2\n"]]);
  await update(agent, work, [["Hourly", "hourly-2.csv", 'day,height_m\n1,"2"\n']]);
  await untilJobsAreDone(service);
  expect((await read.changes("quoted"))[0]).toMatchObject([{ rows_added: 0, cells_changed: 0 }]);
  expect(await read.diffPage("quoted", "1..2")).toContain("No row was added, removed or changed");
  expect(await read.feed("quoted")).toContain("Revision 2: Newer readings");
  expect(await read.page("quoted")).not.toContain("<bdi>Hourly</bdi>: ");
});

test("a scheduled update is counted when it goes live, and two updates in quick succession are both", async () => {
  const work = await publishDataset(agent, "due", [["Hourly", "hourly.csv", table(...DAYS)]]);
  const publish_at = new Date(service.clock.nowMs + 5 * MINUTE_MS).toISOString();
  await update(agent, work, [["Hourly", "b.csv", GROWN]], { release: { schedule: { publish_at } } });
  await untilJobsAreDone(service);
  expect(await read.changes("due")).toEqual([null]);
  service.clock.nowMs += 6 * MINUTE_MS;
  await sweepDueSchedules(service.deps);
  await update(agent, work, [["Hourly", "c.csv", table("2026-11-18,4.15")]]);
  await update(agent, work, [["Hourly", "d.csv", table("2026-11-18,9", "2026-11-19,1")]]);
  await untilJobsAreDone(service);
  const changes = (await read.changes("due")).map((files) => files?.[0]);
  const counted = changes.map(
    (file) => file && [file.rows_added, file.rows_removed, file.rows_changed, file.cells_changed],
  );
  expect(counted).toEqual([[1, 0, 1, 1], [0, 4, 0, 0], [2, 0, 1, 1], undefined]);
});
