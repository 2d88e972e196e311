import { connect, type Socket } from "node:net";

/** What each connection does: it sends a head and so much of a body, then nothing, and reads or does not read. */
export interface Stall {
  port: number;
  count: number;
  /** From so many addresses of this machine. */
  addresses: number;
  /** One of them for each connection, in turn; none: silence. */
  heads: readonly string[];
  bodyBytes: number;
  reads: boolean;
}

/**
 * A process of its own that holds connections open until it is killed. It says "all stalled" once everything was sent
 * or answered, and "answers" with their number by status every second.
 */
const stall = JSON.parse(process.argv[2] ?? "{}") as Stall;
const AT_ONCE = 100;
const body = Buffer.alloc(stall.bodyBytes ?? 0, " ");
const answers: Record<string, number> = {};
const sockets = new Set<Socket>();

for (let opened = 0; opened < stall.count; opened += AT_ONCE) {
  const places = Array.from(
    { length: Math.min(AT_ONCE, stall.count - opened) },
    (_, place) => opened + place,
  );
  await Promise.all(places.map(open));
}
console.log(JSON.stringify({ msg: "all stalled", open: sockets.size, answers }));
setInterval(() => console.log(JSON.stringify({ msg: "answers", open: sockets.size, answers })), 1_000);

/** Resolves once the connection has sent what it sends, was answered or closed, or half a second has passed. */
function open(place: number): Promise<void> {
  const address = place % stall.addresses;
  const localAddress = `127.0.${1 + Math.floor(address / 200)}.${1 + (address % 200)}`;
  return new Promise((resolve) => {
    const socket = connect({ port: stall.port, host: "127.0.0.1", localAddress });
    sockets.add(socket);
    const timer = setTimeout(resolve, 500);
    const settle = () => {
      clearTimeout(timer);
      resolve();
    };
    socket.once("connect", () => {
      const head = stall.heads[place % stall.heads.length];
      if (head === undefined) return settle();
      socket.write(head);
      if (body.length === 0) settle();
      else socket.write(body, settle);
    });
    if (stall.reads) socket.on("data", (bytes) => note(bytes.toString("latin1").slice(9, 12)));
    socket.on("error", () => note("broken"));
    socket.on("close", () => {
      sockets.delete(socket);
      settle();
    });
  });
}

function note(status: string): void {
  answers[status] = (answers[status] ?? 0) + 1;
}
