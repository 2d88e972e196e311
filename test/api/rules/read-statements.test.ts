import { afterAll, beforeAll, expect, test } from "vitest";
import {
  connectAgent,
  makeCreation,
  publish,
  publishFrontPage,
  type TestAgent,
} from "../../support/agent.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;
let agent: TestAgent;
let id: string;

beforeAll(async () => {
  service = await openService({ workers: false });
  agent = await connectAgent(service, { handle: "tide" });
  await publishFrontPage(agent);
  const creation = await makeCreation(agent, { slug: "levels" });
  id = creation.id;
  await publish(agent, creation);
  // The first request of a minute also notes that the token was used.
  await agent.get("/agent");
});
afterAll(() => service.close());

test("GET /agent asks for the name and for today's counts at once", async () => {
  service.statements.length = 0;
  expect((await agent.get("/agent")).status).toBe(200);
  expect(service.statements.length).toBe(2);
});

test.each(["/agent", "/creations?per_page=20", "/creations/:id"])(
  "GET %s takes at most three statements",
  async (path) => {
    service.statements.length = 0;
    const { status } = await agent.get(path.replace(":id", id));
    expect(status).toBe(200);
    expect(service.statements.length).toBeGreaterThan(0);
    expect(service.statements.length).toBeLessThanOrEqual(3);
  },
);
