import { expect, test } from "vitest";
import { eraseCreation } from "../../../../shared/care/erasure/erase-creation.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { removeContent } from "../../../../shared/works/creations/take-down.ts";
import { connectAuthor, type Json, makeCreation } from "../../../support/agent.ts";
import { readArchived } from "../../../support/exports.ts";
import { openDashboard } from "../../../support/owner-dashboard.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { act } from "../../../support/work-acts.ts";
import { call } from "../../mcp/rpc.ts";
import { citing, publishWork, readJson, readPage, republish, textOf } from "./works.ts";

const service = await openService({ workers: false });
const [author, reader] = await Promise.all([connectAuthor(service), connectAuthor(service)]);

const countOf = async ({ id }: Json) => {
  const text = `SELECT count(*)::int AS count FROM revision_references f JOIN creation_revisions r ON r.id = f.revision_id
    WHERE r.creation_id = $1`;
  return (await runSql(service, text, [id]))[0].count;
};

test("content that is removed takes its pins with it; an erased target is told of nowhere", async () => {
  const target = await publishWork(author, textOf("One."));
  const [story, second] = [
    await publishWork(reader, citing(target)),
    await publishWork(reader, citing(target)),
  ];
  await republish(author, target, textOf("Two."));
  await act(reader, story, "unpublish", {});
  await removeContent(service.deps, COMMAND_LINE, story.latest_revision.id, "moderator");
  expect([await countOf(story), await countOf(second)]).toEqual([0, 1]);
  const emptied = (await reader.get(`/creations/${story.id}/revisions/1`)).json.data;
  expect([emptied.payload, emptied.references]).toEqual([null, []]);
  expect(await readPage(service, reader, second)).toContain("Changed since");
  await eraseCreation(service.deps, COMMAND_LINE, target.id);
  expect((await readJson(service, reader, second)).references).toEqual([]);
  expect(await readPage(service, reader, second)).not.toContain("Changed since");
  await eraseCreation(service.deps, COMMAND_LINE, second.id);
  expect(await countOf(second)).toBe(0);
});

test("a target that was never published goes with the references to it", async () => {
  const draft = await makeCreation(author, { payload: textOf("Draft.") });
  const story = await publishWork(author, citing(draft));
  expect(await countOf(story)).toBe(1);
  const gone = await author.send("DELETE", `/creations/${draft.id}`, undefined, { ifMatch: 1 });
  expect([gone.status, await countOf(story)]).toEqual([204, 0]);
});

test("the archive of an owner has the pins of each revision", async () => {
  const owner = await openDashboard(service, "Nora");
  const own = await connectAuthor(service, { ownerId: owner.ownerId });
  const target = await publishWork(author, textOf("One."));
  const story = await publishWork(own, citing(target));
  await act(author, target, "unpublish", {});
  await republish(own, story, citing(await publishWork(own, textOf("Mine."))), { publish: null });
  const [first, second] = await readArchived(service, owner, story.slug);
  const { checksum } = target.latest_revision;
  expect(first.references).toEqual([
    { creation_id: target.id, relation: "uses", pinned: { revision_number: 1, checksum } },
  ]);
  expect(second.references).toEqual([{ creation_id: expect.any(String), relation: "uses", pinned: null }]);
});

test("tools tell of pins as the addresses do, and take the number of a revision", async () => {
  const target = await publishWork(author, textOf("One."));
  await republish(author, target, textOf("Two."));
  const made = await call(service, reader.token, "create_creation", {
    ...{ type: "story", payload: citing(target, { revision_number: 1 }) },
  });
  const { id: creation_id, lock_version } = made.json.data;
  const act = { creation_id, lock_version, full: true };
  const story = (await call(service, reader.token, "publish_creation", act)).json.data;
  const where = { handle: reader.handle, slug: story.slug };
  const read = await call(service, undefined, "read_creation", where);
  const json = await readJson(service, reader, story);
  expect(json.references).toMatchObject([{ pinned: { revision_number: 1 }, changed_since: true }]);
  expect(read.json.data.references).toEqual(json.references);
  expect(read.json.data.changes_feed_url).toBe(json.changes_feed_url);
  const got = await call(service, reader.token, "get_revision", { creation_id: story.id, revision_id: 1 });
  expect(got.json.data.references).toEqual(json.references);
});
