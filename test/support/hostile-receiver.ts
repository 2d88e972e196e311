import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterAll } from "vitest";

/** A server of bytes that a test writes itself, and what came to it. */
export interface HostileReceiver {
  host: string;
  url: string;
  connections: number;
  received: string;
  /** How many of its connections are still open. */
  open(): number;
}

/** Starts a receiver that answers the first bytes of each connection as a test says, until the file is done. */
export async function openReceiver(answer: (socket: Socket) => void): Promise<HostileReceiver> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    receiver.connections++;
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    socket.once("data", () => answer(socket));
    socket.on("data", (bytes) => {
      receiver.received += bytes.toString("latin1");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const receiver = {
    host,
    url: `http://${host}/hook`,
    connections: 0,
    received: "",
    open: () => sockets.size,
  };
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return receiver;
}
