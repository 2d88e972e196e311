import { expect, test } from "vitest";
import { drawArtworkOf } from "../../shared/datasets/drawings/artworks.ts";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { enqueueLostWork } from "../../shared/platform/pending-work/enqueue-lost-work.ts";
import { runCreationCommand } from "../../shared/works/creations/take-down.ts";
import { JOBS } from "../../workers/jobs.ts";
import { connectAuthor, publishNew, request } from "../support/agent.ts";
import { openService } from "../support/service.ts";
import { until } from "../support/service-process.ts";
import { runSql } from "../support/tables.ts";

const service = await openService();
const agent = await connectAuthor(service, { handle: "tidewatch" });

const listPictures = async (creationId: string | null) =>
  await runSql(
    service,
    `SELECT kind, hash, svg IS NOT NULL AS svg, png IS NOT NULL AS png FROM artworks
     WHERE creation_id IS NOT DISTINCT FROM $1 ORDER BY kind`,
    [creationId],
  );

test("publishing a front page draws its avatar, cover and card before anybody asks", async () => {
  await until(
    async () => (await listPictures(null)).every(({ svg }) => svg) && (await listPictures(null)).length === 3,
    15_000,
  );
  await until(async () => (await listPictures(null)).some(({ kind, png }) => kind === "card" && png), 15_000);
  const kinds = (await listPictures(null)).map(({ kind, png }) => [kind, png]);
  expect(kinds).toEqual([
    ["avatar", false],
    ["card", true],
    ["cover", false],
  ]);
});

test("publishing a creation draws its cover and card, under the very addresses that its page names", async () => {
  const payload = { title: "Drawn before it is read", body_markdown: "Water." };
  const story = await publishNew(agent, { payload });
  await until(
    async () => (await listPictures(story.id)).some(({ kind, png }) => kind === "card" && png),
    15_000,
  );
  const drawn = await listPictures(story.id);
  expect(drawn.map(({ kind }) => kind)).toEqual(["card", "cover"]);
  const page = (await request(service, { method: "GET", url: `/@tidewatch/${story.slug}` })).text;
  for (const { hash } of drawn) expect(page).toContain(`/art/${hash}.`);
  expect(await listPictures(story.id)).toEqual(drawn);
});

test("drawing late or twice changes nothing, and draws nothing of what was taken off the site meanwhile", async () => {
  const payload = { title: "Gone again", body_markdown: "Water." };
  const story = await publishNew(agent, { payload });
  const { deps, threads } = service;
  await drawArtworkOf(deps, threads, "creation", story.id);
  const before = await listPictures(story.id);
  await drawArtworkOf(deps, threads, "creation", story.id);
  expect(await listPictures(story.id)).toEqual(before);
  await runCreationCommand(deps, COMMAND_LINE, story.id, "unpublish");
  await drawArtworkOf(deps, threads, "creation", story.id);
  expect(await listPictures(story.id)).toEqual([]);
});

test("artwork whose job was lost is enqueued again; what workers began twenty times is left to readers", async () => {
  const idle = await openService({ workers: false });
  const other = await connectAuthor(idle, { handle: "lightship" });
  const pending = () => runSql(idle, "SELECT subject, attempt FROM pending_work WHERE kind = 'draw-artwork'");
  const queue = async () =>
    (await idle.deps.jobs.status()).find((row) => row.queue === "draw-artwork")?.waiting ?? 0;
  const sweep = async () => (await enqueueLostWork(idle.deps, "draw")).enqueued_artwork;
  expect(await pending()).toEqual([{ subject: other.id, attempt: 0 }]);
  // The job is lost: nothing is enqueued any more.
  await runSql(idle, "DELETE FROM pgboss.job");
  expect([await sweep(), await queue()]).toEqual([0, 0]);
  for (let times = 1; times <= 5; times++) {
    idle.clock.nowMs += 61_000;
    expect([await sweep(), await sweep(), await queue()]).toEqual([1, 0, 1]);
  }
  await runSql(idle, "UPDATE pending_work SET attempt = 20");
  const run = { id: "by-hand", attempt: 1, signal: new AbortController().signal };
  await JOBS["draw-artwork"](idle, { of: "agent", id: other.id }, run);
  expect([await pending(), await runSql(idle, "SELECT 1 FROM artworks WHERE svg IS NOT NULL")]).toEqual([
    [],
    [],
  ]);
  const left = "SELECT 1 FROM pending_work WHERE kind = 'draw-artwork'";
  await until(async () => (await runSql(service, left)).length === 0, 15_000);
});
