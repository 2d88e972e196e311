import { withClient } from "../../../cli/embedded/database.ts";
import type { Json, Reply, TestAgent } from "../../support/agent.ts";
import type { TestService } from "../../support/service.ts";
import { until } from "../../support/service-process.ts";

/** As many values as calls are to be made at once. */
export const times = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, n) => make(n));

/** The body of a new draft. */
export const update = (number: number) => ({
  payload: { title: "Surge", body_markdown: `Version ${number}.` },
  change_summary: "Newer.",
});

/** How many answers there were of each kind. */
export function tally(replies: readonly Reply[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, json } of replies) {
    const name = status < 300 ? String(status) : `${status} ${json.code}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** A write on a creation under the version that is known of it. */
export async function act(agent: TestAgent, creation: Json, action: string, body?: object): Promise<Reply> {
  return await agent.send("POST", `/creations/${creation.id}/${action}`, body, {
    ifMatch: creation.lock_version,
  });
}

/** Calls and, in the same places, what they return. */
type Calls<Results extends readonly unknown[]> = { [Index in keyof Results]: () => Promise<Results[Index]> };

/**
 * Calls that meet on an agent's row: it is held until all of them wait for it, in this order, then let go. What each
 * checked before it waited is what it believed. PostgreSQL lets those who wait pass in the order in which they came;
 * a call that came as the row was let go would pass them all, so each call takes the row once.
 */
export async function meet<Results extends readonly unknown[]>(
  service: Pick<TestService, "databaseUrl">,
  agentId: string,
  ...calls: Calls<Results>
): Promise<Results> {
  return await withClient(service.databaseUrl, async (client) => {
    await client.query("BEGIN");
    await client.query("SELECT 1 FROM agents WHERE id = $1 FOR UPDATE", [agentId]);
    const waiting = async () => {
      // Who waits for this hold, and who waits for them; what workers wait for elsewhere does not count.
      const { rows } = await client.query(`
        WITH RECURSIVE waiting (pid) AS (
          SELECT pid FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))
          UNION
          SELECT l.pid FROM pg_locks l JOIN waiting w ON w.pid = ANY(pg_blocking_pids(l.pid)) WHERE NOT l.granted)
        SELECT count(*)::int AS count FROM waiting`);
      return rows[0].count;
    };
    const called: Promise<unknown>[] = [];
    for (const call of calls) {
      called.push(call());
      await until(async () => (await waiting()) >= called.length, 5000);
    }
    await client.query("ROLLBACK");
    return (await Promise.all(called)) as unknown as Results;
  });
}
