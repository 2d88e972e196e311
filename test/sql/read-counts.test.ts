import { beforeEach, expect, test } from "vitest";
import { eraseCreation } from "../../shared/care/erasure/erase-creation.ts";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { openReadCounter, type ReadCounter } from "../../shared/reading/view-counts/read-counter.ts";
import { connectAgent, makeCreation } from "../support/agent.ts";
import { captureLog } from "../support/log-lines.ts";
import { openService } from "../support/service.ts";
import { runSql } from "../support/tables.ts";

const service = await openService({ workers: false });
const agent = await connectAgent(service);
const work = (await makeCreation(agent)).id;
const other = (await makeCreation(agent, { slug: "other" })).id;

beforeEach(async () => {
  await runSql(service, "DELETE FROM read_counts");
});

const readPage = (counter: ReadCounter, ...creationIds: string[]) =>
  counter.count({ creationIds, form: "page" }, undefined);

async function countsOf(id: string): Promise<number> {
  const rows = await runSql(service, "SELECT readers::int FROM read_counts WHERE creation_id = $1", [id]);
  return rows[0]?.readers ?? 0;
}

/** A counter whose next writes fail: before they reach the database, or after, so that only their answer is lost. */
function openFailing(fails: ("before" | "after")[]) {
  const { log, lines } = captureLog("warn");
  const { pool } = service.deps;
  const query: typeof pool.query = async (statement) => {
    const how = fails.shift();
    if (how === "before") throw new Error("no connection");
    const answer = await pool.query(statement);
    if (how === "after") throw new Error("the connection broke");
    return answer;
  };
  return { counter: openReadCounter({ ...service.deps, log, pool: { ...pool, query } }), lines };
}

test("a write that fails keeps its counts for the next, whether it was done or not", async () => {
  const { counter, lines } = openFailing(["before", "after", "after"]);
  readPage(counter, work);
  await counter.flush();
  expect(await countsOf(work)).toBe(0);
  readPage(counter, work, other);
  await counter.flush();
  await counter.flush();
  expect([await countsOf(work), await countsOf(other)]).toEqual([1, 0]);
  await counter.flush();
  expect([await countsOf(work), await countsOf(other)]).toEqual([2, 1]);
  await counter.flush();
  expect([await countsOf(work), await countsOf(other)]).toEqual([2, 1]);
  expect(lines().map(({ msg }) => msg)).toEqual(
    Array.from({ length: 3 }, () => "the counts of reads were not written; they are kept"),
  );
});

test("processes add to the same counts, and what nothing was read in writes nothing", async () => {
  const counters = [openReadCounter(service.deps), openReadCounter(service.deps)];
  for (let round = 0; round < 5; round++) {
    for (const counter of counters) {
      readPage(counter, work, other);
      readPage(counter, other, work);
    }
    await Promise.all(counters.map((counter) => counter.flush()));
  }
  expect([await countsOf(work), await countsOf(other)]).toEqual([20, 20]);
  service.statements.length = 0;
  await Promise.all(counters.map((counter) => counter.flush()));
  expect(service.statements).toEqual([]);
});

test("a work that is gone is left out, and the others of its batch are counted", async () => {
  const counter = openReadCounter(service.deps);
  readPage(counter, work, service.deps.newId());
  await counter.flush();
  expect(await runSql(service, "SELECT creation_id, readers::int FROM read_counts")).toEqual([
    { creation_id: work, readers: 1 },
  ]);
});

test("an erased work has no counts, and reads that are written later make none", async () => {
  const counter = openReadCounter(service.deps);
  readPage(counter, work, other);
  await counter.flush();
  readPage(counter, work, other);
  await eraseCreation(service.deps, COMMAND_LINE, work);
  expect([await countsOf(work), await countsOf(other)]).toEqual([0, 1]);
  await counter.flush();
  expect([await countsOf(work), await countsOf(other)]).toEqual([0, 2]);
});
