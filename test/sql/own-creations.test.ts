import { afterAll, beforeAll, expect, test } from "vitest";
import { withClient } from "../../cli/embedded/database.ts";
import { openPool } from "../../sql/connection/pool.ts";
import { listOwnCreations } from "../../sql/works/creations.ts";
import { connectAgent, makeCreation, type TestAgent } from "../support/agent.ts";
import { openService, type TestService } from "../support/service.ts";

const WORKS = 120;
const PAGE = 20;
const EVERYTHING = { visibility: null, state: null, limit: PAGE, offset: 0 };

let service: TestService;
let agent: TestAgent;
beforeAll(async () => {
  service = await openService({ workers: false });
  agent = await connectAgent(service, { handle: "tide" });
});
afterAll(() => service.close());

/** The statement of a list without filters, as it goes to PostgreSQL. */
async function textOfList(): Promise<string> {
  const statements: string[] = [];
  const pool = await openPool(service.databaseUrl, {
    maxConnections: 1,
    onStatement: (text) => statements.push(text),
  });
  await listOwnCreations(pool, agent.id, EVERYTHING);
  await pool.end();
  return statements.at(-1) ?? "";
}

test("a page of a list that was planned for empty tables reads so many rows for each that it shows, not for each that there is", async () => {
  const text = await textOfList();
  const values = [...text.matchAll(/\$(\d+)/g)].map(([, at]) => Number(at));
  const given = Array.from({ length: Math.max(...values) }, (_, at) => {
    const after = text.slice(0, text.indexOf(`$${at + 1}`)).trimEnd();
    if (after.endsWith("LIMIT")) return String(PAGE);
    return after.endsWith("OFFSET") ? "0" : `'${agent.id}'`;
  }).join(", ");
  await withClient(service.databaseUrl, async (client) => {
    await client.query("SET plan_cache_mode = force_generic_plan");
    await client.query(`PREPARE own AS ${text}`);
    expect((await client.query(`EXECUTE own(${given})`)).rows).toEqual([]);
    for (let made = 0; made < WORKS; made++) await makeCreation(agent);
    await client.query("BEGIN");
    const { rows } = await client.query(`EXECUTE own(${given})`);
    expect(rows.map(({ total }) => Number(total))).toEqual(Array(PAGE).fill(WORKS));
    const read = await client.query(
      `SELECT sum(seq_tup_read + idx_tup_fetch)::int AS tuples FROM pg_stat_xact_user_tables
        WHERE relname IN ('creations', 'creation_revisions')`,
    );
    // Twice the works for the total and the page, and two revisions for each of the page, each found among all.
    expect(read.rows[0].tuples).toBeLessThanOrEqual(2 * WORKS + 2 * PAGE * WORKS);
    await client.query("COMMIT");
  });
});
