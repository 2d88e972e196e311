import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import multipart from "@fastify/multipart";
import fastify from "fastify";
import { Pool } from "pg";

// node bare-server.ts DATABASE_URL: what each kind of request costs at least with Fastify, pg and nothing else. POST /copy
// keeps an answer, which GET /copy gives from memory; GET /row reads one row; POST /rows writes rows in one transaction;
// POST /file stores and hashes the file of a form.
const pool = new Pool({ connectionString: process.argv[2], max: 10 });
await pool.query("CREATE TABLE IF NOT EXISTS bare (id bigserial PRIMARY KEY, kind text, body jsonb)");
const first = await pool.query(
  "INSERT INTO bare (kind, body) VALUES ('first', '{\"handle\": \"bare\"}') RETURNING id",
);

const app = fastify();
await app.register(multipart);
let copy = { etag: "", type: "", body: "" };
app.post("/copy", (request, reply) => {
  copy = request.body as typeof copy;
  return reply.send();
});
app.get("/copy", (request, reply) => {
  reply.header("etag", copy.etag);
  if (request.headers["if-none-match"] === copy.etag) return reply.code(304).send();
  return reply.type(copy.type).send(copy.body);
});
app.get("/row", async () => {
  const text = "SELECT id, kind, body FROM bare WHERE id = $1";
  const { rows } = await pool.query({ name: "row", text, values: [first.rows[0].id] });
  return { data: rows[0] };
});

/** As many rows as a work that is saved and published leaves: work, revision, entry of the audit log, kept answer. */
const KINDS = ["work", "revision", "audit", "answer"];
app.post("/rows", async (request, reply) => {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    for (const kind of KINDS) {
      const text = "INSERT INTO bare (kind, body) VALUES ($1, $2)";
      await client.query({ name: "insert", text, values: [kind, JSON.stringify(request.body)] });
    }
    await client.query("COMMIT");
  } finally {
    client.release();
  }
  return reply.code(201).send({ data: request.body });
});
app.post("/file", async (request, reply) => {
  const file = await request.file();
  const path = join(tmpdir(), `broadsheet-bare-${process.pid}`);
  const hash = createHash("sha256");
  file?.file.on("data", (chunk) => hash.update(chunk));
  if (file !== undefined) await pipeline(file.file, createWriteStream(path, { flush: true }));
  await rm(path);
  return reply.code(201).send({ data: { sha256: hash.digest("hex") } });
});
const address = await app.listen({ port: 0, host: "127.0.0.1" });
console.log(JSON.stringify({ msg: "listening", port: Number(new URL(address).port) }));
