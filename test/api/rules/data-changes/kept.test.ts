import { expect, test } from "vitest";
import { eraseCreation } from "../../../../shared/care/erasure/erase-creation.ts";
import { sweepAgedFiles } from "../../../../shared/datasets/uploads/discard-files.ts";
import { DAY_MS } from "../../../../shared/ground/times.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { removeContent, runCreationCommand } from "../../../../shared/works/creations/take-down.ts";
import { JOBS } from "../../../../workers/jobs.ts";
import { connectAuthor, type Json } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { publishDataset, readerOf, table, type Upload, update } from "./datasets.ts";

const service = await openService({ workers: false, limits: { updatesPerDay: 1_000 } });
const agent = await connectAuthor(service, { handle: "tidewatch" });
const read = readerOf(service, "tidewatch");

const upload: Upload = (filename, content) => uploadReady(service, agent, filename, content);
const DAYS = ["2026-11-18,4.10", "2026-11-19,4.20"];

/** A dataset with two updates, of which the second waits for its comparison. */
async function publishThree(slug: string): Promise<Json> {
  const files = (count: number) =>
    [
      [
        "Hourly",
        `${slug}-${count}.csv`,
        table(...DAYS, ...Array.from({ length: count }, (_, n) => `${n},${n}`)),
      ],
    ] as const;
  const work = await publishDataset(agent, slug, files(0), upload);
  await update(agent, work, files(1), {}, upload);
  await compare(await revisionOf(work, 2));
  await update(agent, work, files(3), {}, upload);
  return work;
}

async function revisionOf({ id }: Json, number: number): Promise<string> {
  return (await agent.get(`/creations/${id}/revisions/${number}`)).json.data.id;
}

async function compare(revision_id: string): Promise<void> {
  const run = { id: "by-hand", attempt: 1, signal: new AbortController().signal };
  await JOBS["compare-files"](service, { revision_id }, run);
}

const added = (changes: Json[]) => changes.map((files) => files?.[0]?.rows_added);
const countKept = async ({ id }: Json) =>
  Number(
    (
      await runSql(
        service,
        `SELECT count(*) FROM revision_comparisons p LEFT JOIN revision_file_diffs d USING (revision_id)
         WHERE p.creation_id = $1`,
        [id],
      )
    )[0].count,
  );

test("until its files are compared an update says null, and its page shows the counts once they are", async () => {
  const work = await publishThree("pending");
  const pages = async () => [
    await read.page("pending"),
    await read.diffPage("pending", "2..3"),
    await read.feed("pending"),
  ];
  const counted = (texts: string[]) => texts.map((text) => text.includes("2 rows added"));
  expect(await read.changes("pending")).toEqual([null, [expect.anything()], null]);
  expect((await read.diff("pending", "2..3")).files[0].rows).toBeNull();
  expect(counted(await pages())).toEqual([false, false, false]);
  await compare(await revisionOf(work, 3));
  expect(counted(await pages())).toEqual([true, true, true]);
  expect(added(await read.changes("pending"))).toEqual([2, 1, undefined]);
});

test("the page of a revision tells what was known up to it", async () => {
  const work = await publishThree("upto");
  await compare(await revisionOf(work, 3));
  const { json } = await read.get("/@tidewatch/upto/revisions/2.json");
  expect(added(json.data.changes.map(({ data_changes }: Json) => data_changes))).toEqual([1, undefined]);
  expect(json.data.revision).not.toHaveProperty("data_changes");
});

test("files at which a worker died twenty times are given up, and that is kept", async () => {
  const work = await publishThree("deadly");
  const id = await revisionOf(work, 3);
  await runSql(service, "UPDATE pending_work SET attempt = 20 WHERE subject = $1", [id]);
  await compare(id);
  const [[told]] = await read.changes("deadly");
  expect(told).toMatchObject({ label: "Hourly", rows_added: null, columns_added: null });
  expect(told.diff_url).not.toBeNull();
  expect((await read.diff("deadly", "2..3")).files[0].rows).toBeNull();
  expect(await read.feed("deadly")).toContain("Revision 3: Newer readings");
});

test("a file that is gone before it is compared is not counted, and the job ends", async () => {
  const work = await publishThree("early");
  const id = await revisionOf(work, 3);
  service.clock.nowMs += 40 * DAY_MS;
  await sweepAgedFiles(service.deps);
  await compare(id);
  expect((await read.changes("early"))[0]).toMatchObject([{ rows_added: null, diff_url: null }]);
});

test("the counts stay when the files are deleted, without an address to ask for more", async () => {
  const work = await publishThree("aged");
  await compare(await revisionOf(work, 3));
  const before = await read.diff("aged", "2..3");
  expect(before.files[0].diff_url).not.toBeNull();
  expect(await read.page("aged")).toContain("2 rows added");
  service.clock.nowMs += 40 * DAY_MS;
  await sweepAgedFiles(service.deps);
  const after = await read.diff("aged", "2..3");
  expect(after.files).toEqual([{ ...before.files[0], diff_url: null }]);
  const changes = await read.changes("aged");
  expect([added(changes), changes[0][0].diff_url]).toEqual([[2, 1, undefined], null]);
  expect(await read.page("aged")).toContain("2 rows added");
});

test("content that is removed takes what it changed with it, and what the next update changed in it", async () => {
  const work = await publishThree("removed");
  await compare(await revisionOf(work, 3));
  expect(await read.page("removed")).toContain("2 rows added");
  await removeContent(service.deps, COMMAND_LINE, await revisionOf(work, 2), "moderator");
  expect(await read.changes("removed")).toEqual([null, null, null]);
  expect(await read.page("removed")).not.toContain("rows added");
  expect(await read.feed("removed")).not.toContain("rows added");
  expect(await countKept(work)).toBe(0);
  await compare(await revisionOf(work, 3));
  expect(await countKept(work)).toBe(0);
});

test("hidden and unpublished work tells nothing, and nothing is left of what is erased", async () => {
  const work = await publishThree("hidden");
  await compare(await revisionOf(work, 3));
  const statuses = async () =>
    await Promise.all(
      [
        "hidden.json",
        "hidden",
        "hidden/changes.xml",
        "hidden/revisions/2..3.json",
        "hidden/revisions/2..3",
      ].map(async (path) => (await read.get(`/@tidewatch/${path}`)).status),
    );
  expect(new Set(await statuses())).toEqual(new Set([200]));
  await runCreationCommand(service.deps, COMMAND_LINE, work.id, "hide");
  expect(new Set(await statuses())).toEqual(new Set([404]));
  const own = (await agent.get(`/creations/${work.id}/revisions/2/diff/3`)).json.data.files[0];
  expect([own.rows.added, own.diff_url]).toEqual([2, null]);
  await eraseCreation(service.deps, COMMAND_LINE, work.id);
  expect(await countKept(work)).toBe(0);
});
