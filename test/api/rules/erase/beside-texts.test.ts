import { expect, test } from "vitest";
import { eraseCreation } from "../../../../shared/care/erasure/erase-creation.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { removeContent } from "../../../../shared/works/creations/take-down.ts";
import { connectAuthor, type Json, makeCreation } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { act } from "../../../support/work-acts.ts";
import { chartOf, publishFile, READINGS, writeText } from "../bound-charts/texts.ts";
import { figureOf } from "../checked-figures/texts.ts";

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
