import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { openOutboundNetwork } from "../../../../shared/platform/outbound/network.ts";
import { allow } from "../../../support/allow.ts";
import { openReceiver } from "../../../support/hostile-receiver.ts";
import { sendAndTell } from "../../../support/send-and-tell.ts";
import { until } from "../../../support/service-process.ts";

describe("a hostile receiver", () => {
  const HEAD = "HTTP/1.1 200 OK\r\n";
  const streamForEver = (socket: Socket, head = "") => {
    const write = () => {
      while (!socket.destroyed && socket.write("x".repeat(10_000)));
    };
    socket.on("drain", write);
    socket.write(head);
    write();
  };

  test.each<[string, (socket: Socket) => void, string | number]>([
    ["says nothing", () => undefined, "timed_out"],
    ["stops inside the head", (socket) => socket.write(`${HEAD}x-a: `), "timed_out"],
    ["stops inside the body", (socket) => socket.write(`${HEAD}content-length: 9\r\n\r\nhalf`), "timed_out"],
    [
      "goes on with informational answers",
      (socket) => socket.write("HTTP/1.1 103 E\r\n\r\n".repeat(50)),
      "timed_out",
    ],
    ["ends the connection at once", (socket) => socket.destroy(), "connection_failed"],
    [
      "ends the connection inside the body",
      (socket) => socket.end(`${HEAD}content-length: 9\r\n\r\nhalf`),
      "connection_failed",
    ],
    [
      "sends huge headers",
      (socket) => socket.write(`${HEAD}x-a: ${"a".repeat(40_000)}\r\n\r\n`),
      "too_large",
    ],
    [
      "sends too many headers",
      (socket) => socket.write(`${HEAD}${"x-a: aaaaaaaa\r\n".repeat(4_000)}\r\n`),
      "too_large",
    ],
    [
      "sends a body that is too long",
      (socket) => socket.end(`${HEAD}content-length: 1001\r\n\r\n${"x".repeat(1001)}`),
      "too_large",
    ],
    ["streams for ever", (socket) => streamForEver(socket, `${HEAD}\r\n`), "too_large"],
    ["streams before its head", (socket) => streamForEver(socket), "broken_answer"],
    ["speaks something else", (socket) => socket.end("220 mail.example.org ESMTP\r\n"), "broken_answer"],
    [
      "changes the protocol",
      (socket) => socket.write("HTTP/1.1 101 Switching\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n"),
      "broken_answer",
    ],
    [
      "redirects",
      (socket) =>
        socket.end("HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n"),
      302,
    ],
  ])("that %s is left in time, and no connection stays", async (_what, answer, wanted) => {
    const receiver = await openReceiver(answer);
    const network = openOutboundNetwork(allow(receiver.host));
    const timeoutMs = wanted === "timed_out" ? 300 : 10_000;
    expect(await sendAndTell(network, { url: receiver.url, timeoutMs })).toBe(wanted);
    expect(receiver.connections).toBe(1);
    await until(async () => receiver.open() === 0, 5_000);
  });

  test("that never ends its body is answered enough where only the status counts", async () => {
    const receiver = await openReceiver((socket) => streamForEver(socket, `${HEAD}\r\n`));
    const network = openOutboundNetwork(allow(receiver.host));
    expect(await sendAndTell(network, { url: receiver.url, mostBytes: 0 })).toBe(200);
    await until(async () => receiver.open() === 0, 5_000);
  });

  test("that hangs is left when this process stops", async () => {
    const stop = new AbortController();
    const receiver = await openReceiver(() => stop.abort());
    const network = openOutboundNetwork(allow(receiver.host));
    expect(await sendAndTell(network, { url: receiver.url, signal: stop.signal })).toBe("stopped");
  });

  test("that is not there refuses the connection", async () => {
    const network = openOutboundNetwork(allow("127.0.0.1:1"));
    expect(await sendAndTell(network, { url: "http://127.0.0.1:1/" })).toBe("connection_failed");
  });

  test("whose name never resolves is left in time", async () => {
    const network = {
      ...openOutboundNetwork([]),
      listAddresses: () => new Promise<string[]>(() => undefined),
    };
    expect(await sendAndTell(network, { url: "https://tides.org/", timeoutMs: 200 })).toBe("timed_out");
  });
});
