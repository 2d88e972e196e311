import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openHotStatements } from "../../sql/connection/hot-statements.ts";
import { createTestDatabase, type TestDatabase } from "../support/cluster.ts";
import { runScript } from "../support/run-script.ts";

const CONNECTION = join(import.meta.dirname, "..", "..", "sql", "connection");
const QUERIES = 2_000;

// A process that tells how many bytes of each query are old until the next full collection: of pg as it is, and of both
// ways to the database.
const SCRIPT = `
  import { getHeapSpaceStatistics } from "node:v8";
  import pg from "pg";
  import { openHotStatements } from ${JSON.stringify(join(CONNECTION, "hot-statements.ts"))};
  import { openPool, sql } from ${JSON.stringify(join(CONNECTION, "pool.ts"))};
  import { z } from "zod";
  const url = process.env.DATABASE_URL;
  const readOld = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === "old_space").space_used_size;
  const measure = async (ask) => {
    for (let count = 0; count < 500; count++) await ask();
    gc();
    const before = readOld();
    for (let count = 0; count < ${QUERIES}; count++) await ask();
    return Math.round((readOld() - before) / ${QUERIES});
  };
  const statement = { name: "one", text: "SELECT $1::int AS one", values: [1] };
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const plain = await measure(() => client.query(statement));
  await client.end();
  const statements = openHotStatements(url, 1);
  const hot = await measure(() => statements.run(statement));
  await statements.close();
  const pool = await openPool(url, { maxConnections: 1 });
  const one = sql.type(z.strictObject({ one: z.number() }))\`SELECT \${1}::int AS one\`;
  const pooled = await measure(() => pool.oneFirst(one));
  await pool.end();
  console.log(JSON.stringify({ plain, hot, pooled }));
`;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
});

test("what a query leaves is collected while it is young", async () => {
  const options = ["--expose-gc", "--max-semi-space-size=1"];
  const told = await runScript(SCRIPT, { options, env: { DATABASE_URL: database.url } });
  const { plain, hot, pooled } = JSON.parse(told) as Record<"plain" | "hot" | "pooled", number>;
  // Once pg as it is leaves as little, `keepQueriesYoung` has nothing to do any more.
  expect(plain).toBeGreaterThan(1_000);
  expect(hot).toBeLessThan(200);
  expect(pooled).toBeLessThan(200);
});

test("the stack of a refused query leads to who asked", async () => {
  const statements = openHotStatements(database.url, 1);
  const askWrongly = async () => await statements.run({ text: "SELECT nothing", values: [] });
  const error = await askWrongly().catch((reason: Error) => reason);
  expect(error).toMatchObject({ code: "42703", stack: expect.stringContaining("askWrongly") });
  await statements.close();
});
