import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, expect, test } from "vitest";
import { PacedBody } from "../../../api/http/send-file.ts";
import { until } from "../../support/service-process.ts";

const PIECE = 262_144;
const PIECES = 64;

let app: FastifyInstance;

afterEach(async () => {
  app.server.closeAllConnections();
  await app.close();
});

/** Serves pieces at an address of its own and asks for them; nothing is read of the answer yet. */
async function ask(pieces: () => AsyncIterable<Uint8Array>): Promise<IncomingMessage> {
  app = Fastify();
  app.get("/", async (_request, reply) => await reply.send(new PacedBody(pieces())));
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const [answer] = await once(get({ host: "127.0.0.1", port }), "response");
  return answer;
}

/** Pieces in one memory, each filled with its number; tells how many were asked for and whether reading has ended. */
function refill() {
  const told = { asked: 0, hasEnded: false };
  const pieces = async function* read() {
    const memory = Buffer.alloc(PIECE);
    try {
      for (; told.asked < PIECES; ) yield memory.fill(told.asked++);
    } finally {
      told.hasEnded = true;
    }
  };
  return { told, pieces };
}

test("pieces whose memory is used again arrive whole, in their order", async () => {
  const { told, pieces } = refill();
  const answer = await ask(pieces);
  const received: Buffer[] = [];
  for await (const bytes of answer) received.push(bytes);
  const wanted = Buffer.concat(Array.from({ length: PIECES }, (_, at) => Buffer.alloc(PIECE, at)));
  expect(Buffer.concat(received).equals(wanted)).toBe(true);
  expect(told).toEqual({ asked: PIECES, hasEnded: true });
});

test("a reader who takes nothing is sent what the connection takes, and one who leaves ends the reading", async () => {
  const { told, pieces } = refill();
  const answer = await ask(pieces);
  answer.pause();
  let before = -1;
  await until(() => {
    const rests = told.asked === before;
    before = told.asked;
    return rests;
  }, 10_000);
  expect(told.asked).toBeLessThan(PIECES);
  expect(told.hasEnded).toBe(false);
  answer.destroy();
  await until(() => told.hasEnded, 10_000);
});

test("a source that fails before its first piece is an error, and one that fails later breaks the answer off", async () => {
  // biome-ignore lint/correctness/useYield: it fails before there is anything to yield
  const early = await ask(async function* fail() {
    throw new Error("lost");
  });
  expect(early.statusCode).toBe(500);
  early.resume();
  await app.close();
  const late = await ask(async function* failLater() {
    yield Buffer.alloc(PIECE);
    throw new Error("lost");
  });
  expect(late.statusCode).toBe(200);
  await expect(late.resume().toArray()).rejects.toThrow("aborted");
});
