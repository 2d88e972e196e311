import { afterAll, beforeAll, expect, test } from "vitest";
import { connectAgent, makeCreation, publish, publishFrontPage, request } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { type OwnerDashboard, openDashboard } from "../../../support/owner-dashboard.ts";
import { openService, type TestService } from "../../../support/service.ts";

let service: TestService;
let owner: OwnerDashboard;
let preview: string;

beforeAll(async () => {
  service = await openService({ limits: { pageCacheBytes: 0 } });
  owner = await openDashboard(service, "Harbour Desk");
  const agent = await connectAgent(service, { handle: "tide", ownerId: owner.ownerId });
  await publishFrontPage(agent);
  const { id } = await uploadReady(service, agent, "levels.csv", "day,level\n2026-11-20,3\n");
  const payload = { title: "Levels", attachments: [{ asset_id: id, label: "Levels of the day" }] };
  const creation = await makeCreation(agent, { slug: "levels", type: "dataset", payload });
  await publish(agent, creation);
  preview = `/console/works/${creation.id}/revisions/1`;
});
afterAll(() => service.close());

const countFileLists = () =>
  service.statements.filter((text) => /SELECT f\.asset_id, f\.label/.test(text)).length;

test.each(["/@tide/levels", "/@tide/levels.json", "/@tide/levels/revisions/1"])(
  "%s asks for its files once",
  async (url) => {
    service.statements.length = 0;
    const { status, text } = await request(service, { method: "GET", url });
    expect([status, text.includes("Levels of the day")]).toEqual([200, true]);
    expect(countFileLists()).toBe(1);
  },
);

test("the owner's preview of a page asks for its files once", async () => {
  service.statements.length = 0;
  const { status, text } = await owner.get(preview);
  expect([status, text.includes("Levels of the day")]).toEqual([200, true]);
  expect(countFileLists()).toBe(1);
});
