import { expect, test } from "vitest";
import { withClient } from "../../../../cli/embedded/database.ts";
import { ensureQueues, hasQueues } from "../../../../shared/platform/jobs/install-queues.ts";
import { WANTED_QUEUES } from "../../../../shared/platform/jobs/queue-options.ts";
import { findInstalledQueues } from "../../../../sql/platform/job-queues.ts";
import { createTestDatabase } from "../../../support/cluster.ts";

const database = await createTestDatabase();

/** Whatever an installation sets may have been changed, or be of another version. */
const CHANGES = [
  "UPDATE pgboss.version SET version = version - 1",
  "DELETE FROM pgboss.queue WHERE name = 'inspect-asset'",
  "UPDATE pgboss.queue SET dead_letter = NULL WHERE name = 'build-feed'; DELETE FROM pgboss.queue WHERE name = 'build-feed-dead'",
  ...[
    ...["dead_letter = 'draw-blocks-dead'", "retry_limit = 1", "retry_delay = 7", "retry_backoff = false"],
    ...["retry_delay_max = 7", "expire_seconds = 7", "heartbeat_seconds = 20", "deletion_seconds = 7"],
    "notify = false",
  ].map((change) => `UPDATE pgboss.queue SET ${change} WHERE name = 'build-feed'`),
];

test("a database as an installation leaves it needs none, whatever the jobs and the supervisor wrote since", async () => {
  await withClient(database.url, async (client) => {
    expect(await hasQueues(client)).toBe(true);
    await client.query("UPDATE pgboss.queue SET ready_count = 7, monitor_on = now(), updated_on = now()");
    expect(await hasQueues(client)).toBe(true);
  });
});

test.each(CHANGES)("an installation is needed after %s, and leaves all as at first", async (change) => {
  await withClient(database.url, async (client) => {
    const before = await readOptions(client);
    await client.query("BEGIN");
    await client.query(change);
    expect(await hasQueues(client)).toBe(false);
    // The schema of a version before has other tables too, which a number does not bring back.
    if (change.includes("pgboss.version")) return void (await client.query("ROLLBACK"));
    await client.query("COMMIT");
    await ensureQueues(client, database.url);
    expect(await readOptions(client)).toEqual(before);
    expect(await hasQueues(client)).toBe(true);
  });
});

test("a database without pg-boss needs an installation", async () => {
  await withClient(database.url, async (client) => {
    await client.query("DROP SCHEMA pgboss CASCADE");
    expect(await hasQueues(client)).toBe(false);
    await ensureQueues(client, database.url);
    expect(await hasQueues(client)).toBe(true);
  });
});

type Client = Parameters<typeof findInstalledQueues>[0];

async function readOptions(client: Client): Promise<object[]> {
  const { queues = [] } = (await findInstalledQueues(client)) ?? {};
  expect(queues).toHaveLength(2 * WANTED_QUEUES.length);
  return queues.toSorted((one, other) => one.name.localeCompare(other.name));
}
