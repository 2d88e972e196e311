import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP proxy whose connections a test can break, slow or silence. */
export interface Cable {
  port: number;
  /** Breaks every connection; new ones are refused until `heal`. */
  cut(): void;
  /** Delays every byte by this time, in both directions. */
  slow(ms: number): void;
  /** Closes the far ends without notice: the near connections stay open and silent for good. */
  halfOpen(): void;
  /** Silences the connections there are, and tells neither end. */
  deafen(): void;
  heal(): void;
  close(): Promise<void>;
}

interface Pair {
  near: Socket;
  far: Socket;
  dead: boolean;
}

/** The socket of a database by its address. */
export function socketOf(databaseUrl: string): { path: string } {
  const { hostname, port } = new URL(databaseUrl);
  return { path: `${decodeURIComponent(hostname)}/.s.PGSQL.${port}` };
}

/** Opens a cable, a TCP proxy, to a port of this machine or a socket. */
export async function openCable(target: { port: number } | { path: string }): Promise<Cable> {
  const pairs = new Set<Pair>();
  const state = { refuses: false, delayMs: 0 };
  const server = createServer((near) => {
    near.on("error", () => undefined);
    if (state.refuses) {
      near.resetAndDestroy();
      return;
    }
    const pair = { near, far: connect({ host: "127.0.0.1", ...target }), dead: false };
    pairs.add(pair);
    near.once("close", () => {
      if (!pair.dead) pairs.delete(pair);
    });
    join(pair, state);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      state.refuses = true;
      for (const { near, far } of pairs) {
        near.resetAndDestroy();
        far.destroy();
      }
    },
    slow(ms) {
      state.delayMs = ms;
    },
    halfOpen() {
      for (const pair of pairs) {
        pair.dead = true;
        pair.far.destroy();
      }
    },
    deafen() {
      for (const pair of pairs) pair.dead = true;
    },
    heal() {
      state.refuses = false;
      state.delayMs = 0;
    },
    async close() {
      for (const { near, far } of pairs) {
        near.destroy();
        far.destroy();
      }
      server.close();
      await once(server, "close");
    },
  };
}

function join(pair: Pair, state: { delayMs: number }): void {
  const { near, far } = pair;
  carry(near, far, pair, state);
  carry(far, near, pair, state);
  far.on("error", () => undefined);
  far.once("close", () => {
    if (!pair.dead) near.destroy();
  });
  near.once("close", () => {
    if (!pair.dead) far.destroy();
  });
}

/** One direction; bytes keep their order even when the delay changes. */
function carry(from: Socket, to: Socket, pair: Pair, state: { delayMs: number }): void {
  let dueMs = 0;
  let waiting = 0;
  from.on("data", (bytes) => {
    if (pair.dead) return;
    if (state.delayMs === 0 && waiting === 0) {
      to.write(bytes);
      return;
    }
    dueMs = Math.max(dueMs, performance.now() + state.delayMs);
    waiting += 1;
    setTimeout(() => {
      waiting -= 1;
      if (!pair.dead && !to.destroyed) to.write(bytes);
    }, dueMs - performance.now());
  });
}
