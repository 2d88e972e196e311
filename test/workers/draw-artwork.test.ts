import { afterAll, beforeAll, expect, test } from "vitest";
import { drawArtworkOf } from "../../shared/datasets/drawings/artworks.ts";
import { sweepPendingArtworks } from "../../shared/datasets/drawings/pending-artworks.ts";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { runCreationCommand } from "../../shared/works/creations/take-down.ts";
import {
  connectAgent,
  makeCreation,
  publish,
  publishFrontPage,
  request,
  type TestAgent,
} from "../support/agent.ts";
import { openService, type TestService } from "../support/service.ts";
import { until } from "../support/service-process.ts";
import { runSql } from "../support/tables.ts";

let service: TestService;
let agent: TestAgent;

beforeAll(async () => {
  service = await openService();
  agent = await connectAgent(service, { handle: "tidewatch" });
  await publishFrontPage(agent);
});
afterAll(async () => {
  await service.close();
});

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
  const story = await publish(agent, await makeCreation(agent, { payload }));
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
  const story = await publish(agent, await makeCreation(agent, { payload }));
  const { deps, threads } = service;
  await drawArtworkOf(deps, threads, "creation", story.id);
  const before = await listPictures(story.id);
  await drawArtworkOf(deps, threads, "creation", story.id);
  expect(await listPictures(story.id)).toEqual(before);
  await runCreationCommand(deps, COMMAND_LINE, story.id, "unpublish");
  await drawArtworkOf(deps, threads, "creation", story.id);
  expect(await listPictures(story.id)).toEqual([]);
});

test("artwork whose job was lost is enqueued again, until it is drawn; with the last try it is left to readers", async () => {
  const idle = await openService({ workers: false });
  const other = await connectAgent(idle, { handle: "lightship" });
  await publishFrontPage(other);
  const orders = () => runSql(idle, "SELECT subject_id, tries FROM artwork_orders");
  const queue = async () =>
    (await idle.deps.jobs.status()).find((row) => row.queue === "draw-artwork")?.waiting ?? 0;
  expect(await orders()).toEqual([{ subject_id: other.id, tries: 0 }]);
  // The job is lost: nothing is enqueued any more.
  await runSql(idle, "DELETE FROM pgboss.job");
  expect(await sweepPendingArtworks(idle.deps)).toBe(0);
  for (let tries = 1; tries <= 5; tries++) {
    idle.clock.nowMs += 61_000;
    expect(await sweepPendingArtworks(idle.deps)).toBe(1);
    expect(await orders()).toEqual([{ subject_id: other.id, tries }]);
  }
  expect(await queue()).toBe(1);
  idle.clock.nowMs += 61_000;
  await sweepPendingArtworks(idle.deps);
  expect(await orders()).toEqual([]);
  await idle.close();
  await until(async () => (await runSql(service, "SELECT 1 FROM artwork_orders")).length === 0, 15_000);
});
