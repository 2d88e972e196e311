import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { withConnection } from "../../sql/connection/own-connection.ts";
import { createTestDatabase, queryDatabase } from "../support/cluster.ts";

const database = await createTestDatabase();

test("a connection that the server ends between two statements fails the next one, and not the process", async () => {
  await withConnection(database.url, async (client) => {
    const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    const ended = new Promise((resolve) => client.once("end", resolve));
    await queryDatabase(database.url, "SELECT pg_terminate_backend($1)", [rows[0]?.pid]);
    await ended;
    await expect(client.query("SELECT 1")).rejects.toThrow();
  });
});

test("a server that lets nobody in is an error where the time for it is bounded", async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket)).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  try {
    const url = `postgres://broadsheet@127.0.0.1:${port}/broadsheet`;
    const asked = withConnection(url, (client) => client.query("SELECT 1"), { connectWithinMs: 50 });
    await expect(asked).rejects.toThrow("timeout");
  } finally {
    for (const socket of sockets) socket.destroy();
    silent.close();
  }
});
