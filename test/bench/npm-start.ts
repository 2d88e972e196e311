import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { choosePort } from "../../cli/embedded/port.ts";
import { type ServiceProcess, startProcess } from "../support/service-process.ts";

const TICKS_A_SECOND = 100;

/** A service as `npm start` runs it. */
interface Started {
  pid: number;
  url: string;
  readyMs: number;
  stop(): Promise<void>;
}

/** Starts the service of a tree on a data folder, as `npm start` does, and waits until it is ready. */
export async function startNpm(
  tree: string,
  dataDir: string,
  more: NodeJS.ProcessEnv = {},
): Promise<Started> {
  const startedAt = performance.now();
  const { scripts } = JSON.parse(await readFile(join(tree, "package.json"), "utf8"));
  const [, ...args] = scripts.start.split(" ");
  const port = await choosePort();
  const env = { ...process.env, ...more, DATA_DIR: dataDir, PORT: String(port) };
  const service: ServiceProcess = startProcess({ command: process.execPath, args, cwd: tree, env });
  while (!service.lines.some(({ msg }) => String(msg).startsWith("Broadsheet is ready"))) {
    if (service.child.exitCode !== null) throw new Error(`npm start ended: ${service.stderr()}`);
    await delay(5);
  }
  const readyMs = performance.now() - startedAt;
  const stop = async () => {
    service.child.kill("SIGTERM");
    await service.ended;
  };
  service.dropOutput();
  return { pid: service.pid, url: `http://127.0.0.1:${port}`, readyMs, stop };
}

/** What the kernel tells of a process. */
export interface Process {
  command: string;
  residentMb: number;
  anonymousMb: number;
  /** Of itself and of its children that ended. */
  processorSeconds: number;
}

/** A process and those below it, without PostgreSQL's own. */
export async function listProcesses(pid: number): Promise<Process[]> {
  const command = (await readFile(`/proc/${pid}/cmdline`, "utf8")).replaceAll("\0", " ").trim();
  if (/bin\/postgres\b/.test(command)) return [];
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).replace(/^.*\) /, "").split(" ");
  const readMb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1024;
  const own: Process = {
    command: command.replaceAll("\n", " "),
    residentMb: readMb("VmRSS"),
    anonymousMb: readMb("RssAnon"),
    processorSeconds: fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_A_SECOND,
  };
  const below = await Promise.all((await listChildren(pid)).map(listProcesses));
  return [own, ...below.flat()];
}

async function listChildren(pid: number): Promise<number[]> {
  return await new Promise((resolve) => {
    // It ends with 1 where there are none.
    execFile("pgrep", ["-P", String(pid)], (_error, text) =>
      resolve(text.split("\n").filter(Boolean).map(Number)),
    );
  });
}
