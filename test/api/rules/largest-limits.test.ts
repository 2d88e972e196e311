import { expect, test } from "vitest";
import { AGENT_LIMITS } from "../../../shared/ground/limits.ts";
import { connectAgent, publishFrontPage } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";
import { GATES } from "./limit-gates.ts";

const limits = Object.fromEntries(AGENT_LIMITS.map((name) => [name, Number.MAX_SAFE_INTEGER]));
const service = await openService({ workers: false, limits });

test.each(Object.entries(GATES))("the limit %s may be the largest that is taken", async (name, [, begin]) => {
  const agent = await connectAgent(service);
  if (name !== "profileRevisions") await publishFrontPage(agent);
  const act = await begin(agent, service);
  for (const number of [0, 1]) {
    expect((await act(number)).status).toBeLessThan(400);
  }
});
