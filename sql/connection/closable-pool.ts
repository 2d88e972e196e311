import { Socket } from "node:net";
import pg from "pg";

/** A pg pool with access to its sockets, so that those of a vanished server can be closed too. */
export interface ClosablePool {
  pool: pg.Pool;
  /** Closes every connection at once: a running query fails, the next one opens a new connection. */
  closeAll(): void;
}

/** Opens a closable pool. */
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
  // A connection that breaks while idle is replaced with the next query.
  pool.on("error", () => undefined);
  return {
    pool,
    closeAll() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
