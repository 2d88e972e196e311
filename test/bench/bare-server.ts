import { readFile } from "node:fs/promises";
import fastify from "fastify";

// node bare-server.ts FILE ETAG: the same bytes as the page under measurement, from memory, by a route that does
// nothing else. The least that a page can cost under this framework.
const [file = "", etag = ""] = process.argv.slice(2);
const body = await readFile(file);
const app = fastify();
app.get("/page", (request, reply) => {
  reply.header("etag", etag);
  if (request.headers["if-none-match"] === etag) return reply.code(304).send();
  return reply.type("text/html; charset=utf-8").send(body);
});
await app.listen({ port: 0, host: "127.0.0.1" });
const address = app.server.address();
console.log(JSON.stringify({ msg: "bare listening", port: typeof address === "object" ? address?.port : 0 }));
