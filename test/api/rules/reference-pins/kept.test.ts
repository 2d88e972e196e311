import { expect, test } from "vitest";
import { eraseCreation } from "../../../../shared/care/erasure/erase-creation.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { connectAuthor, type Json, makeCreation } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { citing, publishWork, readJson, readPage, republish, textOf } from "./works.ts";

const service = await openService({ workers: false });
const [author, reader] = await Promise.all([connectAuthor(service), connectAuthor(service)]);

const countOf = async ({ id }: Json) => {
  const text = `SELECT count(*)::int AS count FROM revision_references f JOIN creation_revisions r ON r.id = f.revision_id
    WHERE r.creation_id = $1`;
  return (await runSql(service, text, [id]))[0].count;
};

test("an erased target is told of nowhere", async () => {
  const target = await publishWork(author, textOf("One."));
  const story = await publishWork(reader, citing(target));
  await republish(author, target, textOf("Two."));
  expect(await readPage(service, reader, story)).toContain("Changed since");
  await eraseCreation(service.deps, COMMAND_LINE, target.id);
  expect((await readJson(service, reader, story)).references).toEqual([]);
  expect(await readPage(service, reader, story)).not.toContain("Changed since");
});

test("a target that was never published goes with the references to it", async () => {
  const draft = await makeCreation(author, { payload: textOf("Draft.") });
  const story = await publishWork(author, citing(draft));
  expect(await countOf(story)).toBe(1);
  const gone = await author.send("DELETE", `/creations/${draft.id}`, undefined, { ifMatch: 1 });
  expect([gone.status, await countOf(story)]).toEqual([204, 0]);
});
