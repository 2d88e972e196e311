import { join } from "node:path";
import { expect, test } from "vitest";
import { createBackup } from "../../../../shared/care/backup/create.ts";
import { restoreBackup } from "../../../../shared/care/backup/restore.ts";
import { sequenceEvents } from "../../../../shared/trust/events/sequence-events.ts";
import { connectAgent, type Json, publishFrontPage, publishNew, speakAs } from "../../../support/agent.ts";
import { openFolder } from "../../../support/close-afterwards.ts";
import { openService } from "../../../support/service.ts";

const folder = await openFolder();
const source = await openService({ workers: false });
const target = await openService({ workers: false });

test("after a restore watches go on, and a cursor from after the backup misses nothing", async () => {
  const author = await connectAgent(source);
  const reader = await connectAgent(source);
  await publishFrontPage(author);
  await reader.send("PUT", `/watches/agents/${author.id}`, undefined);
  const work = await publishNew(author);
  // Everything is told, so the outbox that gives numbers to watches is empty.
  await sequenceEvents(source.deps);
  await createBackup(source.deps, source.databaseUrl, join(folder, "one"));
  await publishNew(author, { slug: "lost" });
  await sequenceEvents(source.deps);
  const { cursor } = (await reader.get("/events")).json.meta;
  await restoreBackup(target.deps, target.databaseUrl, join(folder, "one"), { keepCredentials: true });
  target.clock.nowMs += 1_000;
  const [again, there] = [speakAs(target, author), speakAs(target, reader)];
  const before = (await there.get("/events?types=creation.published")).json.data;
  expect(before.map((event: Json) => event.creation_id)).toEqual([work.id]);
  const { id } = await publishNew(again, { slug: "after" });
  await sequenceEvents(target.deps);
  const { json } = await there.get(`/events?after=${cursor}`);
  expect(json.data.map((event: Json) => [event.type, event.creation_id])).toEqual([
    ["creation.published", id],
  ]);
});
