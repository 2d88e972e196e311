import { beforeEach, expect, test } from "vitest";
import { runSequencer, watchOutbox } from "../../../../shared/platform/outbox/run-sequencer.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";

const service = await openService({ workers: false });
await runSql(service, "CREATE TABLE outbox_of_test (id bigint GENERATED ALWAYS AS IDENTITY, text text)");
await runSql(
  service,
  `CREATE TRIGGER announce AFTER INSERT ON outbox_of_test
     FOR EACH STATEMENT EXECUTE FUNCTION announce_outbox('events')`,
);

beforeEach(async () => {
  await runSql(service, "DELETE FROM outbox_of_test");
});

/** A step that takes one number from a list, and how many of its kind ran at once. */
function countingStep(rows: number[]) {
  const seen = { taken: [] as number[], most: 0, now: 0 };
  const step = async () => {
    seen.most = Math.max(seen.most, ++seen.now);
    await runSql(service, "SELECT 1");
    const row = rows.shift();
    if (row !== undefined) seen.taken.push(row);
    seen.now--;
    return row === undefined ? 0 : 1;
  };
  return { seen, step };
}

test("of many sequencers of one name one works at a time, and it goes on until nothing is left", async () => {
  const { seen, step } = countingStep([1, 2, 3, 4, 5, 6, 7, 8]);
  const runs = [1, 2, 3, 4].map(() => runSequencer(service.deps, { name: "events", step }));
  const counts = await Promise.all(runs);
  const rest = await runSequencer(service.deps, { name: "events", step });
  expect([...counts, rest].reduce((sum, count) => sum + count)).toBe(8);
  expect(seen).toMatchObject({ taken: [1, 2, 3, 4, 5, 6, 7, 8], most: 1 });
});

test("a step that fails loses its lock with its transaction", async () => {
  const fail = async () => Promise.reject(new Error("planted"));
  await expect(runSequencer(service.deps, { name: "events", step: fail })).rejects.toThrow("planted");
  const { seen, step } = countingStep([1]);
  expect(await runSequencer(service.deps, { name: "events", step })).toBe(1);
  expect(seen.taken).toEqual([1]);
});

test("a commit ends the wait of a watch, and a transaction that is rolled back does not", async () => {
  const watch = await watchOutbox(service.deps, "events");
  const other = await service.deps.notifications.watch("outbox", "other");
  let isWoken = false;
  const woken = watch.next(20_000).then(() => {
    isWoken = true;
  });
  const insert = (text: string) => `INSERT INTO outbox_of_test (text) VALUES (${text})`;
  await expect(runSql(service, `${insert("'a'")} RETURNING 1 / 0`)).rejects.toThrow("division");
  // Announcements come in the order of commits.
  await runSql(service, "SELECT pg_notify('outbox', 'other')");
  await other.next(20_000);
  expect(isWoken).toBe(false);
  await runSql(service, insert("'b'), ('c'"));
  await woken;
  watch.close();
  other.close();
});

test("a watch whose connection is ended looks at once, connects again and is woken by the next commit", async () => {
  const watch = await watchOutbox(service.deps, "events");
  const end = () =>
    runSql(
      service,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND query LIKE 'LISTEN%'`,
    );
  const lost = watch.next(20_000);
  await end();
  await lost;
  // It connects again, and tells so, because a row may have been committed meanwhile.
  await watch.next(20_000);
  const woken = watch.next(20_000);
  await runSql(service, "INSERT INTO outbox_of_test (text) VALUES ('d')");
  await woken;
  watch.close();
  await watch.next(20_000);
});
