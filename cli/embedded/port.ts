import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

// The range lies below the one from which kernels pick ports for outgoing connections, so that ours is free
// after a crash.
const LOWEST = 20_000;
const HIGHEST = 32_000;

/** Chooses a port of 127.0.0.1 on which nobody listens. */
export async function choosePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isPortFree(port)) return port;
  }
  throw new Error("no free port was found between 20000 and 32000");
}

/** Whether a process could listen on the port now. */
export async function isPortFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  const server = createServer();
  try {
    const listening = once(server, "listening");
    server.listen({ port, host, exclusive: true });
    await listening;
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return false;
    throw error;
  } finally {
    server.close();
  }
}
