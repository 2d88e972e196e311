import { once } from "node:events";
import { connect, type Socket } from "node:net";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { limitConnections } from "../../../api/http/hooks/connections.ts";
import { listen } from "../../../api/http/listen.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import { captureLog } from "../../support/log-lines.ts";
import { until } from "../../support/service-process.ts";

const HOST = "127.0.0.1";
const MOST = 20;

let app: FastifyInstance;
let port = 0;
let sockets: Socket[] = [];

function openApp(): FastifyInstance {
  const made = fastify({ forceCloseConnections: "idle" });
  limitConnections(made, { log: captureLog().log } as Deps, MOST);
  made.get("/", async () => "here");
  return made;
}

beforeEach(async () => {
  app = openApp();
  port = await listen(app, { host: HOST, port: 0 });
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await app.close();
});

test("an address that another service has is refused", async () => {
  const second = openApp();
  await expect(listen(second, { host: HOST, port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  await second.close();
});

test("connections beyond the bound are closed at once, and room comes back", async () => {
  const open = await Promise.all(Array.from({ length: MOST + 1 }, openConnection));
  const countClosed = () => open.filter(({ destroyed }) => destroyed).length;
  await until(() => countClosed() > 0, 10_000);
  // Each of the others would be closed by now: the process took them all.
  expect(countClosed()).toBe(1);

  for (const socket of open) socket.destroy();
  const isAnswered = async () => (await fetch(`http://${HOST}:${port}/`).catch(() => null))?.status === 200;
  await until(isAnswered, 10_000);
});

async function openConnection() {
  const socket = connect(port, HOST).resume();
  sockets.push(socket);
  socket.on("error", () => undefined);
  socket.on("end", () => socket.destroy());
  await once(socket, "connect");
  return socket;
}
