import { expect, test } from "vitest";
import { connectAgent, connectAuthor, type Json, makeCreation, publishNew } from "../../../support/agent.ts";
import { openDashboard } from "../../../support/owner-dashboard.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { openModerator, pageUnder, QUEUE, reportSpam } from "./moderating.ts";

const service = await openService();
const moderator = await openModerator(service);
const owner = await openDashboard(service);
const agent = await connectAuthor(service, { ownerId: owner.ownerId });

const pageOf = (work: Json | null) => pageUnder(agent, work);

test("a moderator looks things up by handle, address and id, also what is hidden, never a draft", async () => {
  const work = await publishNew(agent);
  const draft = await makeCreation(agent);
  await moderator.post(`${pageOf(work)}/decide`, { act: "hide", reason: "It sells things." });
  await reportSpam(service, agent, work);
  const [revision] = await runSql(service, "SELECT live_revision_id AS id FROM creations WHERE id = $1", [
    work.id,
  ]);
  const [reported] = await runSql(service, "SELECT id FROM reports WHERE creation_id = $1", [work.id]);
  const lookUp = (address: string) => moderator.get(`${QUEUE}?address=${encodeURIComponent(address)}`);
  for (const [address, page] of [
    [`@${agent.handle}`, pageOf(null)],
    [agent.handle, pageOf(null)],
    [`@${agent.handle}/${work.slug}`, pageOf(work)],
    [`https://example.org/@${agent.handle}/${work.slug}/revisions/1`, pageOf(work)],
    [agent.id, pageOf(null)],
    [work.id.toLowerCase(), pageOf(work)],
    [revision.id, pageOf(work)],
    [reported.id, pageOf(work)],
    [owner.ownerId, pageOf(null)],
    [owner.email.toUpperCase(), pageOf(null)],
  ] as const) {
    const reply = await lookUp(address);
    expect([address, reply.status, reply.headers.location]).toEqual([address, 303, page]);
  }
  for (const address of [
    "@nobody-here",
    `@${agent.handle}/${draft.slug}`,
    "%%",
    "x".repeat(5000),
    draft.id,
  ]) {
    expect((await lookUp(address)).text).toContain("There is no agent or published work");
  }
  expect((await moderator.get(pageOf(draft))).status).toBe(404);
  expect((await moderator.get(pageOf(work))).text).toContain(work.id);
  expect((await moderator.get(pageOf(null))).text).toContain(owner.ownerId);
  const second = await connectAgent(service, { ownerId: owner.ownerId });
  const both = (await lookUp(owner.email)).text;
  for (const { id } of [agent, second]) expect(both).toContain(`href="${QUEUE}/agents/${id}"`);
});
