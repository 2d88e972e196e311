import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Downloads, openDownloads } from "../../../api/http/downloads.ts";
import { sendFile } from "../../../api/http/send-file.ts";
import { Refusal } from "../../../shared/ground/errors.ts";
import { until } from "../../support/service-process.ts";

const MOST = 4;
const PIECE = Buffer.alloc(65_536, "x");
const ABOUT = { filename: "a.csv", type: "text/csv" };

let app: FastifyInstance;
let root = "";
let nowMs = 0;
let open: IncomingMessage[] = [];

beforeEach(async () => {
  open = [];
  nowMs = 0;
  app = fastify({ forceCloseConnections: true });
  addRoutes(openDownloads(() => nowMs, { most: MOST, mostOfOne: MOST - 1, waitMs: 400 }));
  app.setErrorHandler((error, _request, reply) => {
    const { status, retryAfterSeconds } =
      error instanceof Refusal ? error : { status: 500, retryAfterSeconds: 0 };
    return reply.status(status).header("retry-after", String(retryAfterSeconds)).send("refused");
  });
  root = await app.listen({ port: 0, host: "127.0.0.1" });
});
afterEach(async () => {
  for (const response of open) response.destroy();
  await app.close();
});

function addRoutes(downloads: Downloads): void {
  async function* endless() {
    for (;;) yield PIECE;
  }
  async function* broken() {
    yield PIECE;
    throw new Error("the store broke off");
  }
  app.get("/small", async (_request, reply) =>
    sendFile(await downloads.open(reply), ABOUT, [PIECE] as unknown as AsyncIterable<Uint8Array>),
  );
  app.get("/endless", async (_request, reply) => sendFile(await downloads.open(reply), ABOUT, endless()));
  app.get("/broken", async (_request, reply) => sendFile(await downloads.open(reply), ABOUT, broken()));
  app.get("/refused", async (_request, reply) => {
    await downloads.open(reply);
    throw new Refusal("not_found", "There is no such file.");
  });
}

/** Opens a download from an address of this machine and reads nothing of it. */
async function openUnread(address = "127.0.0.1"): Promise<IncomingMessage> {
  const sent = httpRequest(`${root}/endless`, { agent: false, localAddress: address });
  sent.on("error", () => undefined);
  const [response] = (await once(sent.end(), "response")) as [IncomingMessage];
  response.on("error", () => undefined);
  open.push(response);
  return response;
}

const get = (path: string, method = "GET") => fetch(`${root}${path}`, { method });

test("an address has so many downloads at once; the next waits, then is refused with a time to come back", async () => {
  for (let each = 1; each < MOST; each++) await openUnread();
  const refused = await get("/small");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "2"]);
  const waiting = get("/small");
  open[0]?.destroy();
  expect((await waiting).status).toBe(200);
});

test.skipIf(process.platform !== "linux")("all addresses together have so many at once", async () => {
  for (let each = 0; each < MOST; each++) await openUnread(`127.0.0.${each + 2}`);
  expect((await get("/small")).status).toBe(503);
  open[0]?.destroy();
  expect((await get("/small")).status).toBe(200);
});

test("every ending gives the place back", async () => {
  for (let turn = 0; turn < 2 * MOST; turn++) {
    expect((await (await get("/small")).arrayBuffer()).byteLength).toBe(PIECE.length);
    expect((await get("/small", "HEAD")).status).toBe(200);
    expect((await get("/refused")).status).toBe(404);
    await get("/broken")
      .then((reply) => reply.text())
      .catch(() => undefined);
    (await openUnread()).destroy();
  }
});

test("a burst of small files beside the limit is answered whole", async () => {
  const replies = await Promise.all(Array.from({ length: 10 * MOST }, () => get("/small")));
  const bytes = await Promise.all(replies.map(async (reply) => (await reply.arrayBuffer()).byteLength));
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  expect(new Set(bytes)).toEqual(new Set([PIECE.length]));
});

test("a reader who took nothing for ten seconds makes room for another", async () => {
  for (let each = 1; each < MOST; each++) await openUnread();
  nowMs = 9_999;
  expect((await get("/small")).status).toBe(503);
  nowMs = 10_000;
  // On a busy machine a connection's buffers fill late, which counts as a reader's taking, and it closes late.
  await until(async () => {
    const { status } = await get("/small");
    nowMs += 10_000;
    return status === 200;
  }, 10_000);
});
