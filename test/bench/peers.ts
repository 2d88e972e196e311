import { join } from "node:path";
import { startProcess } from "../support/service-process.ts";

/** Opens a peer; where it is not on this machine, a line says so, and the other figures are measured without it. */
export async function openPeer<Peer>(name: string, open: () => Promise<Peer>): Promise<Peer | null> {
  try {
    return await open();
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split("\n");
    console.log(`${name} is left out: ${reason}`);
    return null;
  }
}

/** The entries of a list that are there. */
export function present<Item>(items: readonly (Item | null)[]): Item[] {
  return items.filter((item) => item !== null);
}

/** A peer that is a server, in a process of its own. */
export interface PeerServer {
  url: string;
  close(): Promise<void>;
}

/** Starts a server of this folder, which prints its port when it listens. */
export async function startPeer(file: string, args: readonly string[]): Promise<PeerServer> {
  const server = join(import.meta.dirname, file);
  const running = startProcess({ command: process.execPath, args: [server, ...args], env: process.env });
  const { port } = await running.said("listening");
  const close = async () => {
    running.child.kill();
    await running.ended;
  };
  return { url: `http://127.0.0.1:${port}`, close };
}
