import { expect, test } from "vitest";
import { sequenceEvents } from "../../../../shared/trust/events/sequence-events.ts";
import { act } from "../../../support/work-acts.ts";
import { openStage, payloadOf, publishStory, save } from "./stage.ts";

test("an agent is told of a new reference behind the changes of its work that wait for those who watch it", async () => {
  const { service, author, other, news } = await openStage();
  let work = await publishStory(author, "one");
  const citing = await publishStory(other, "two");
  expect((await other.send("PUT", `/watches/creations/${work.id}`, {})).status).toBeLessThan(300);
  await news(author);
  for (const body_markdown of ["Once.", "Twice."]) {
    work = await save(author, work, { payload: payloadOf({ body_markdown }) });
    work = await act(author, work, "publish", { revision_id: work.latest_revision.id });
  }
  const references = [{ creation_id: work.id, relation: "cites" }];
  const cited = await save(other, citing, { payload: payloadOf({ references }) });
  await act(other, cited, "publish", { revision_id: cited.latest_revision.id });

  await sequenceEvents(service.deps, { changes: 10, agents: 1 });

  expect((await news(author)).map(([type]) => type)).toEqual([
    "creation.updated",
    "creation.updated",
    "reference.added",
  ]);
});
