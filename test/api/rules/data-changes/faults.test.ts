import { expect, test } from "vitest";
import type { Threads } from "../../../../shared/platform/threads/open.ts";
import { compareUpdate } from "../../../../shared/reading/comparisons/compare-update.ts";
import { connectAuthor, type Json, makeCreation } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { act } from "../../../support/work-acts.ts";
import { attachmentsOf, publishDataset, readerOf, table, type Upload, update } from "./datasets.ts";

const service = await openService({ workers: false, limits: { updatesPerDay: 1_000 } });
const agent = await connectAuthor(service, { handle: "tidewatch" });
const read = readerOf(service, "tidewatch");

const upload: Upload = (filename, content) => uploadReady(service, agent, filename, content);
const ONE = table("2026-11-18,4.10");
const TWO = table("2026-11-18,4.10", "2026-11-19,4.20");

/** A dataset of two files and an update of both, and the id of the update's revision. */
async function publishPair(slug: string): Promise<{ work: Json; revisionId: string }> {
  const files = (content: string) =>
    ["Hourly", "Daily"].map((label) => [label, `${slug}-${label}.csv`, `${content}${label},1\n`] as const);
  const work = await publishDataset(agent, slug, files(ONE), upload);
  const { latest_revision } = await update(agent, work, files(TWO), {}, upload);
  return { work, revisionId: latest_revision.id };
}

const listKept = async (revisionId: string) =>
  await runSql(
    service,
    "SELECT position, outcome, rows::text AS rows FROM revision_file_diffs WHERE revision_id = $1 ORDER BY position",
    [revisionId],
  );

/** The threads of the service, which fail at a comparison. */
function failAt(number: number): Threads {
  let asked = 0;
  return {
    ...service.threads,
    diffFiles: async (task) => {
      asked += 1;
      if (asked === number) throw new Error("The worker ended.");
      return await service.threads.diffFiles(task);
    },
  };
}

test("a run that ends between two files saves nothing, and the next one saves what one run does", async () => {
  const [whole, broken] = [await publishPair("whole"), await publishPair("broken")];
  await compareUpdate(service.deps, service.threads, whole.revisionId);
  await expect(compareUpdate(service.deps, failAt(2), broken.revisionId)).rejects.toThrow("ended");
  expect(await listKept(broken.revisionId)).toEqual([]);
  expect((await read.changes("broken"))[0]).toBeNull();
  await compareUpdate(service.deps, service.threads, broken.revisionId);
  const kept = await listKept(broken.revisionId);
  expect(kept.map(({ outcome }) => outcome)).toEqual(["counted", "counted"]);
  expect(kept).toEqual(await listKept(whole.revisionId));
  await compareUpdate(service.deps, failAt(1), broken.revisionId);
  expect(await listKept(broken.revisionId)).toEqual(kept);
});

test("files that are too large to compare are kept so, and not compared again", async () => {
  const { work, revisionId } = await publishPair("large");
  const { config } = service.deps;
  const small = { ...service.deps, config: { ...config, limits: { ...config.limits, queryBytes: 20 } } };
  await compareUpdate(small, service.threads, revisionId);
  expect((await listKept(revisionId)).map(({ outcome }) => outcome)).toEqual(["too_long", "too_long"]);
  await compareUpdate(service.deps, failAt(1), revisionId);
  const [told] = await read.changes("large");
  expect(told.map(({ rows_added, diff_url }: Json) => [rows_added, diff_url !== null])).toEqual([
    [null, true],
    [null, true],
  ]);
  expect((await read.diff("large", "1..2")).files[0].rows).toBeNull();
  expect(await read.page(work.slug)).not.toContain("row added");
});

test("only the update of a dataset is compared, by a job of its own", async () => {
  const listCompared = async ({ id }: Json) => {
    const compared = "SELECT revision_id FROM revision_comparisons WHERE creation_id = $1";
    return (await runSql(service, compared, [id])).map(({ revision_id }) => revision_id);
  };
  const work = await publishDataset(agent, "compared", [["Hourly", "counted.csv", ONE]], upload);
  expect(await listCompared(work)).toEqual([]);
  await update(agent, work, await attachmentsOf(agent, work), { title: "Other words" });
  const { latest_revision } = (await agent.get(`/creations/${work.id}`)).json.data;
  expect(await listCompared(work)).toEqual([latest_revision.id]);
  expect(await listCompared(await makeCreation(agent, { publish: {} }))).toEqual([]);
  const jobs = "SELECT data ->> 'revision_id' AS id FROM pgboss.job WHERE name = 'compare-files'";
  expect((await runSql(service, jobs)).map(({ id }) => id)).toContain(latest_revision.id);
});

test("an update after a break, and a restored revision, are compared with what was published last", async () => {
  const work = await publishDataset(agent, "restored", [["Hourly", "r1.csv", ONE]], upload);
  await act(agent, work, "unpublish");
  const { latest_revision } = await update(agent, work, [["Hourly", "r2.csv", TWO]], {}, upload);
  await compareUpdate(service.deps, service.threads, latest_revision.id);
  const first = (await agent.get(`/creations/${work.id}/revisions/1`)).json.data.id;
  const restored = await act(agent, work, "restore", { revision_id: first });
  await compareUpdate(service.deps, service.threads, restored.latest_revision.id);
  const changes = (await read.changes("restored")).map((files) => files?.[0]);
  expect(changes.map((file) => file && [file.rows_added, file.rows_removed])).toEqual([
    [0, 1],
    [1, 0],
    undefined,
  ]);
});

test("a name of a column cannot end the page around it", async () => {
  const name = "<b>\"'&";
  const work = await publishDataset(agent, "named", [["<i>Hourly", "n1.csv", "day\n1\n"]], upload);
  const csv = `day,"${name.replaceAll('"', '""')}"\n1,2\n`;
  const { latest_revision } = await update(agent, work, [["<i>Hourly", "n2.csv", csv]], {}, upload);
  await compareUpdate(service.deps, service.threads, latest_revision.id);
  expect((await read.changes("named"))[0]?.[0].columns_added).toEqual([name]);
  const page = await read.page("named");
  expect(page).toContain("<bdi>&lt;i&gt;Hourly</bdi>: column <bdi>&lt;b&gt;&quot;&#39;&amp;</bdi> added.");
  expect(await read.feed("named")).not.toContain("<b>");
});
