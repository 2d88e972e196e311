import { describe, expect, test } from "vitest";
import { openPool, type Tx } from "../../../../sql/connection/pool.ts";
import { createTestDatabase } from "../../../support/cluster.ts";
import { ENGINES, type Engine } from "./job-engines.ts";

const LONG = { timeout: 60_000, interval: 20 };
const COMPARED = { revision_id: "01M7WW40S0RPRWNC8S9C3DKSCZ" };

describe.each(ENGINES.filter((engine) => engine.isOffered()))(
  "jobs that are enqueued together on $name",
  (engine) => {
    test("are those that are enqueued one by one, in each of their queues", async () => {
      await inEngine(engine, async ({ jobs, transact, compared, built }) => {
        const compare = { name: "compare-files", payload: COMPARED } as const;
        const build = (feed_key: string) => ({ name: "build-feed", payload: { feed_key } }) as const;
        await transact((tx) => jobs.enqueue(tx, [compare, build("p"), build("q"), build("p")]));
        await expect.poll(() => [...new Set(built)].sort(), LONG).toEqual(["p", "q"]);
        await expect.poll(() => compared, LONG).toEqual([COMPARED.revision_id]);
        await transact(async (tx) => {
          await jobs.enqueue(tx, [compare]);
          await jobs.enqueue(tx, [build("r")]);
          await jobs.enqueue(tx, []);
        });
        await expect.poll(() => built.at(-1), LONG).toBe("r");
        await expect.poll(() => compared, LONG).toEqual([COMPARED.revision_id, COMPARED.revision_id]);
      });
    });

    test("never were where their transaction is rolled back", async () => {
      await inEngine(engine, async ({ jobs, transact, compared, built }) => {
        const lost = transact(async (tx) => {
          await jobs.enqueue(tx, [
            { name: "compare-files", payload: COMPARED },
            { name: "build-feed", payload: { feed_key: "lost" } },
          ]);
          throw new Error("no");
        });
        await expect(lost).rejects.toThrow("no");
        await transact((tx) => jobs.enqueue(tx, [{ name: "build-feed", payload: { feed_key: "after" } }]));
        await expect.poll(() => built, LONG).toEqual(["after"]);
        expect(compared).toEqual([]);
      });
    });
  },
);

/** An engine on a database of its own, with what its workers have run. */
async function inEngine(
  engine: Engine,
  act: (stage: Awaited<ReturnType<typeof openStage>>) => Promise<void>,
): Promise<void> {
  await engine.start();
  const stage = await openStage(engine);
  try {
    await act(stage);
  } finally {
    await engine.stop();
  }
}

async function openStage(engine: Engine) {
  const database = await createTestDatabase();
  const pool = await openPool(database.url, { maxConnections: 4 });
  const jobs = await engine.open(database.url, pool);
  const [compared, built]: string[][] = [[], []];
  await jobs.work("compare-files", async ({ revision_id }) => void compared?.push(revision_id), 1);
  await jobs.work("build-feed", async ({ feed_key }) => void built?.push(feed_key), 1);
  return {
    ...{ jobs, compared: compared ?? [], built: built ?? [] },
    transact: (work: (tx: Tx) => Promise<void>) => pool.transaction(work),
    async close() {
      await jobs.close();
      await pool.end();
    },
  };
}
