import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
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
let slow = 0;
let release = Promise.withResolvers<void>();

function openApp(): FastifyInstance {
  const made = fastify({ forceCloseConnections: "idle" });
  limitConnections(made, { log: captureLog().log } as Deps, MOST);
  made.get("/", async () => "here");
  made.get("/slow", async (_request, reply) => {
    slow++;
    await release.promise;
    return await reply.header("connection", "close").send("late");
  });
  return made;
}

beforeEach(async () => {
  slow = 0;
  release = Promise.withResolvers();
  app = openApp();
  port = await listen(app, { host: HOST, port: 0 });
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await app.close();
});

describe("a server on several sockets", () => {
  test.runIf(process.platform === "linux")("takes connections in few turns of its event loop", async () => {
    let taken = 0;
    let turns = 0;
    app.server.on("connection", () => taken++);
    // While this process stands still the system holds them all.
    const many = `let left = ${MOST};
      for (let each = left; each > 0; each--)
        require("node:net").connect(${port}, "${HOST}", () => --left || process.exit());`;
    expect(spawnSync(process.execPath, ["-e", many], { timeout: 20_000 }).status).toBe(0);
    for (; taken < MOST && turns < 1_000; turns++) await turn();
    expect(taken).toBe(MOST);
    expect(turns).toBeLessThan(MOST * 0.75);
  });

  test("answers on each of them, and keeps connections open", async () => {
    const answers = Array.from(
      { length: MOST },
      async () => await (await fetch(`http://${HOST}:${port}/`)).text(),
    );
    expect(new Set(await Promise.all(answers))).toEqual(new Set(["here"]));
  });

  test("refuses an address that another service has, of either kind", async () => {
    const second = openApp();
    await expect(listen(second, { host: HOST, port })).rejects.toMatchObject({ code: "EADDRINUSE" });
    await second.close();

    const other = createServer().listen(0, HOST);
    await once(other, "listening");
    const address = other.address();
    const taken = typeof address === "object" ? (address?.port ?? 0) : 0;
    const third = openApp();
    await expect(listen(third, { host: HOST, port: taken })).rejects.toMatchObject({ code: "EADDRINUSE" });
    await third.close();
    other.close();
  });

  test("answers the requests of every socket before it has stopped", async () => {
    const waiting = Array.from(
      { length: MOST },
      async () => await (await fetch(`http://${HOST}:${port}/slow`)).text(),
    );
    await until(() => slow === MOST, 10_000);
    let isClosed = false;
    const closing = app.close().then(() => {
      isClosed = true;
    });
    // Closed connections of the app's own server end sooner than those of the others.
    await new Promise((resolve) => setImmediate(resolve));
    expect(isClosed).toBe(false);
    release.resolve();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(["late"]));
    await closing;
  });

  test("leaves none of them open when it stops", async () => {
    await app.close();
    for (let each = 0; each < MOST; each++) {
      const [error] = await once(connect(port, HOST), "error");
      expect(error).toMatchObject({ code: "ECONNREFUSED" });
    }
  });
});

test("connections beyond the bound are closed at once, whichever socket took them, and room comes back", async () => {
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
