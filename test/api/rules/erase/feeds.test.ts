import { expect, test } from "vitest";
import { withClient } from "../../../../cli/embedded/database.ts";
import { eraseCreation } from "../../../../shared/care/erasure/erase-creation.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { rebuildFeed } from "../../../../shared/reading/feeds/build-feed.ts";
import { connectAuthor, makeCreation, request } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { until } from "../../../support/service-process.ts";
import { WORD } from "./marked.ts";

test("a feed that was being built while a second work was erased names neither", async () => {
  const service = await openService({ workers: false });
  const agent = await connectAuthor(service);
  const payload = { title: WORD, body_markdown: "The gauge rose." };
  const first = await makeCreation(agent, { payload, publish: {} });
  const second = await makeCreation(agent, { payload, publish: {} });
  await rebuildFeed(service.deps, `agent:${agent.id}`);
  await eraseCreation(service.deps, COMMAND_LINE, first.id);
  await withClient(service.databaseUrl, async (client) => {
    // The rebuild has read the works, and waits with what it made of them.
    await client.query("BEGIN");
    await client.query("SELECT 1 FROM pending_work WHERE kind = 'build-feed' FOR UPDATE");
    const rebuilt = rebuildFeed(service.deps, `agent:${agent.id}`);
    const waiting = "SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted";
    await until(async () => (await client.query(waiting)).rows[0].count > 0, 5000);
    await eraseCreation(service.deps, COMMAND_LINE, second.id);
    await client.query("COMMIT");
    await rebuilt;
  });
  const feed = await request(service, { method: "GET", url: `/@${agent.handle}/feed.xml` });
  expect([feed.status, feed.text.includes(WORD)]).toEqual([200, false]);
});
