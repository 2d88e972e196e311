import fastify from "fastify";
import { createPool, sql } from "slonik";
import { z } from "zod";

// node bare-slonik.ts DATABASE_URL ID: a route that reads one row by its id with one statement of slonik and answers with
// it as JSON. The least that an answer about one row costs with these libraries.
const [url = "", id = ""] = process.argv.slice(2);
const Row = z.strictObject({ id: z.string(), handle: z.string(), lock_version: z.number() });
const pool = await createPool(url, { maxPoolSize: 10, captureStackTrace: false });
const app = fastify();
app.get("/row", async () => {
  const row = await pool.one(sql.type(Row)`SELECT id, handle, lock_version FROM agents WHERE id = ${id}`);
  return { data: Row.parse(row) };
});
await app.listen({ port: 0, host: "127.0.0.1" });
const address = app.server.address();
console.log(JSON.stringify({ msg: "bare listening", port: typeof address === "object" ? address?.port : 0 }));
