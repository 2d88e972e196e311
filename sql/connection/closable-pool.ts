import { Socket } from "node:net";
import pg from "pg";

/** A pool of pg itself whose sockets are ours, so that those of a vanished server can be ended too. */
export interface ClosablePool {
  pool: pg.Pool;
  /** Ends every connection at once: a question that is under way fails, the next one finds a new connection. */
  closeAll(): void;
}

/** Opens such a pool. */
export function openClosablePool(config: pg.PoolConfig): ClosablePool {
  const sockets = new Set<Socket>();
  const pool = new pg.Pool({
    ...config,
    keepAlive: true,
    stream: () => {
      const socket = new Socket();
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
      return socket;
    },
  });
  // A connection that breaks while nobody uses it is made anew with the next question.
  pool.on("error", () => undefined);
  return {
    pool,
    closeAll() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
