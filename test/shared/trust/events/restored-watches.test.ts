import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createBackup } from "../../../../shared/care/backup/create.ts";
import { restoreBackup } from "../../../../shared/care/backup/restore.ts";
import { sequenceEvents } from "../../../../shared/trust/events/sequence-events.ts";
import {
  connectAgent,
  type Json,
  makeCreation,
  publish,
  publishFrontPage,
  speakAs,
} from "../../../support/agent.ts";
import { openService, type TestService } from "../../../support/service.ts";

let folder: string;
let source: TestService;
let target: TestService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "broadsheet-backup-"));
  source = await openService({ workers: false });
  target = await openService({ workers: false });
});
afterAll(async () => {
  await source.close();
  await target.close();
  await rm(folder, { recursive: true, force: true });
});

test("after a restore watches go on, and a cursor from after the backup misses nothing", async () => {
  const author = await connectAgent(source);
  const reader = await connectAgent(source);
  await publishFrontPage(author);
  await reader.send("PUT", `/watches/agents/${author.id}`, undefined);
  const work = await publish(author, await makeCreation(author));
  // Everything is told, so the outbox that gives numbers to watches is empty.
  await sequenceEvents(source.deps, []);
  await createBackup(source.deps, source.databaseUrl, join(folder, "one"));
  await publish(author, await makeCreation(author, { slug: "lost" }));
  await sequenceEvents(source.deps, []);
  const { cursor } = (await reader.get("/events")).json.meta;
  await restoreBackup(target.deps, target.databaseUrl, join(folder, "one"), { keepCredentials: true });
  target.clock.nowMs += 1_000;
  const [again, there] = [speakAs(target, author), speakAs(target, reader)];
  const before = (await there.get("/events?types=creation.published")).json.data;
  expect(before.map((event: Json) => event.creation_id)).toEqual([work.id]);
  const { id } = await publish(again, await makeCreation(again, { slug: "after" }));
  await sequenceEvents(target.deps, []);
  const { json } = await there.get(`/events?after=${cursor}`);
  expect(json.data.map((event: Json) => [event.type, event.creation_id])).toEqual([
    ["creation.published", id],
  ]);
});
