import { expect, test } from "vitest";
import { withClient } from "../../../../cli/embedded/database.ts";
import { connectAuthor, type Json, type TestAgent } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { until } from "../../../support/service-process.ts";
import { citing, publishWork, readJson, republish, textOf } from "./works.ts";

const service = await openService({
  workers: false,
  limits: { publicationsPerDay: 1000, updatesPerDay: 1000 },
});
const [author, reader] = await Promise.all([connectAuthor(service), connectAuthor(service)]);

const pinOf = async (agent: TestAgent, work: Json) =>
  (await readJson(service, agent, work)).references[0].pinned.revision_number;

/**
 * Lets two publications meet: the first holds what it wrote, because the words of its work for the search are locked;
 * the second comes then, and waits for it.
 */
async function meet(
  first: { work: Json; publish: () => Promise<Json> },
  second: () => Promise<Json>,
): Promise<void> {
  await withClient(service.databaseUrl, async (client) => {
    const waiting = async () => {
      const { rows } = await client.query(
        "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return rows[0].count;
    };
    await client.query("BEGIN");
    const held = await client.query("SELECT 1 FROM search_creations WHERE creation_id = $1 FOR UPDATE", [
      first.work.id,
    ]);
    expect(held.rowCount).toBe(1);
    const one = first.publish();
    await until(async () => (await waiting()) === 1, 5000);
    const other = second();
    await until(async () => (await waiting()) === 2, 5000);
    await client.query("COMMIT");
    await Promise.all([one, other]);
  });
}

test("a text that goes live while its target is being published waits, and is pinned to the newer revision", async () => {
  const target = await publishWork(author, textOf("One."));
  const story = await publishWork(reader, citing(target));
  const publish = () => republish(author, target, textOf("Two."));
  await meet({ work: target, publish }, () => republish(reader, story, citing(target)));
  expect(await pinOf(reader, story)).toBe(2);
});

test("a target that is published while a citing text goes live waits, and the pin is the older revision", async () => {
  const target = await publishWork(author, textOf("One."));
  const story = await publishWork(reader, citing(target));
  const publish = () => republish(reader, story, citing(target));
  await meet({ work: story, publish }, () => republish(author, target, textOf("Two.")));
  expect((await readJson(service, reader, story)).references).toMatchObject([
    { pinned: { revision_number: 1 }, current_revision_number: 2, changed_since: true },
  ]);
});

test("of two texts that cite each other and go live at once, one comes first: the other is pinned to it", async () => {
  const one = await publishWork(author, textOf("One."));
  const other = await publishWork(reader, citing(one));
  await republish(author, one, citing(other));
  for (let round = 1; round <= 3; round += 1) {
    await Promise.all([republish(author, one, citing(other)), republish(reader, other, citing(one))]);
    // Before this round the works were at these revisions.
    const before = { one: round + 1, other: round };
    const pins = [(await pinOf(author, one)) - before.other, (await pinOf(reader, other)) - before.one];
    expect(pins.toSorted()).toEqual([0, 1]);
  }
});
