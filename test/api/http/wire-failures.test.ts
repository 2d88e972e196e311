import type { AddressInfo, Socket } from "node:net";
import { expect, test } from "vitest";
import { openRaw, statusOf } from "../../support/raw-socket.ts";
import { openService } from "../../support/service.ts";

const MIB = 1024 * 1024;

const service = await openService({ workers: false });
await service.app.listen({ port: 0, host: "127.0.0.1" });
const port = (service.app.server.address() as AddressInfo).port;

test("a client that goes on sending behind its refused head reads the refusal", async () => {
  const answered = new Promise<void>((resolve) =>
    service.app.server.once("connection", (socket: Socket) => socket.once("finish", resolve)),
  );
  const connection = openRaw(port);
  // A client that reads nothing before all of its request is sent.
  connection.socket.pause();
  connection.write(`GET /?${"x".repeat(MIB / 16)}`);
  await answered;
  for (let piece = 0; piece < 32; piece++) {
    await new Promise<void>((resolve) => connection.socket.write("x".repeat(MIB / 16), () => resolve()));
  }
  connection.socket.resume();
  expect(statusOf(await connection.closed)).toBe(431);
});

test("a client that never stops sending behind its refused head is cut off", async () => {
  const connection = openRaw(port);
  const piece = "x".repeat(MIB);
  connection.write("GET /?");
  let sent = 0;
  while (!connection.socket.destroyed && sent < 64) {
    sent++;
    await new Promise<void>((resolve) => connection.socket.write(piece, () => resolve()));
  }
  await connection.closed;
  expect(sent).toBeLessThan(64);
});

test.each(["GET / HTTP/1.1", "GET / HTTP/1.0"])(
  "%s with two Host headers is refused, whichever a proxy read",
  async (line) => {
    const connection = openRaw(port);
    connection.write(`${line}\r\nHost: a.example\r\nhost: b.example\r\nConnection: close\r\n\r\n`);
    const answer = await connection.closed;
    expect([statusOf(answer), answer]).toEqual([400, expect.stringContaining("sent more than once")]);
  },
);

test("a client whose request is no HTTP reads why before the connection ends", async () => {
  const connection = openRaw(port);
  connection.write("no HTTP at all\r\n\r\n");
  expect(statusOf(await connection.closed)).toBe(400);
});
