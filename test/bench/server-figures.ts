import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startProcess } from "../support/service-process.ts";
import { load } from "./load.ts";

/** The kernel counts a hundred a second. */
const MICROS_A_TICK = 10_000;

/** A process under measurement, and the address that it is asked for. */
export interface Server {
  url: string;
  pid: number;
}

export interface Figures {
  perSecond: number;
  /** Processor time of the server's process for each answer; noise of other processes moves it far less. */
  cpuMicros: number;
}

/** Asks a server for one address under load; tells its rate and what an answer cost its process. */
export async function measureServer(
  { url, pid }: Server,
  asked: { connections: number; seconds: number; headers: readonly string[] },
): Promise<Figures> {
  const before = await readCpuMicros(pid);
  const perSecond = await load(url, asked);
  return { perSecond, cpuMicros: ((await readCpuMicros(pid)) - before) / (perSecond * asked.seconds) };
}

/** What a process has used of the processor; not known where there is no /proc. */
async function readCpuMicros(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // Behind the name, which may hold anything: user and system time are the 14th and 15th of all.
  const [user, system] = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13)
    .map(Number);
  return ((user ?? Number.NaN) + (system ?? Number.NaN)) * MICROS_A_TICK;
}

/** Starts the bare route, which answers with this body and tag from memory; `file` is written for it. */
export async function startBare(file: string, body: string, etag: string) {
  await writeFile(file, body);
  const server = join(import.meta.dirname, "bare-server.ts");
  const running = startProcess({ command: process.execPath, args: [server, file, etag], env: process.env });
  await running.said("bare listening");
  const port = running.lines.find((line) => line.msg === "bare listening")?.port;
  return { ...running, url: `http://127.0.0.1:${port}/page` };
}
