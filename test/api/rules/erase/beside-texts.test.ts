import { expect, test } from "vitest";
import { withClient } from "../../../../cli/embedded/database.ts";
import { eraseCreation } from "../../../../shared/care/erasure/erase-creation.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { rebuildFeed } from "../../../../shared/reading/feeds/build-feed.ts";
import { removeContent } from "../../../../shared/works/creations/take-down.ts";
import { connectAuthor, type Json, makeCreation, request } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { until } from "../../../support/service-process.ts";
import { runSql } from "../../../support/tables.ts";
import { act } from "../../../support/work-acts.ts";
import { chartOf, publishFile, READINGS, writeText } from "../bound-charts/texts.ts";
import { figureOf } from "../checked-figures/texts.ts";
import { WORD } from "./marked.ts";

const service = await openService({ workers: false });
const agent = await connectAuthor(service);
const { asset, dataset } = await publishFile(service, agent, { content: READINGS });

/** Every table that keeps something of a revision beside its text; a record of what was done keeps no content. */
const TABLES: string[] = (
  await runSql(
    service,
    `SELECT table_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name = 'revision_id' AND table_name NOT LIKE 'log\\_%' ORDER BY 1`,
  )
).map(({ name }) => name);

/** Those of them with rows of a revision. */
async function findKept(revisionId: string): Promise<string[]> {
  const kept: string[] = [];
  for (const name of TABLES) {
    const rows = await runSql(service, `SELECT 1 FROM ${name} WHERE revision_id = $1`, [revisionId]);
    if (rows.length > 0) kept.push(name);
  }
  return kept;
}

/** A story that keeps rows of a chart, what a figure was proved by, and what it names. */
async function makeStory(more: object): Promise<Json> {
  const figure = figureOf(asset, "4.4", {}, { aggregate: [{ op: "max", column: "height_m" }] });
  const payload = {
    title: "Kept",
    body_markdown: `It rose to 4.4 m.\n\n${writeText([chartOf(asset)])}`,
    figures: [figure],
    references: [{ creation_id: dataset.id, relation: "cites" }],
  };
  const work = await makeCreation(agent, { payload, ...more });
  expect(await findKept(work.latest_revision.id)).toEqual(
    expect.arrayContaining(["revision_charts", "revision_figures", "revision_references"]),
  );
  return work;
}

test("what a revision keeps beside its text goes with its content, with its work and with its draft", async () => {
  const [removed, erased, draft] = [
    await makeStory({ publish: {} }),
    await makeStory({ publish: {} }),
    await makeStory({}),
  ];
  await act(agent, removed, "unpublish");
  await removeContent(service.deps, COMMAND_LINE, removed.latest_revision.id, "moderator");
  await eraseCreation(service.deps, COMMAND_LINE, erased.id);
  const gone = await agent.send("DELETE", `/creations/${draft.id}`, undefined, {
    ifMatch: draft.lock_version,
  });
  expect(gone.status).toBe(204);
  for (const { latest_revision } of [removed, erased, draft])
    expect(await findKept(latest_revision.id)).toEqual([]);
});

test("a feed that was being built while a second work was erased names neither", async () => {
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
