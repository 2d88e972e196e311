import { type ChildProcess, execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { isPortFree } from "../../cli/embedded/port.ts";
import { canInstall, installPackages } from "./debian.ts";
import { until } from "./service-process.ts";

const SCRIPT = join(import.meta.dirname, "machine.sh");
/** Kept for the next run, beside the engine: to get it takes some minutes. */
const FOLDER = process.env.ENGINE_FOLDER ?? "/var/cache/broadsheet-engine";
/** PostgreSQL, Redis, the API and HAProxy: the machine has the network of this one. */
const PORTS = [5432, 6379, 3001, 3002, 8080];

const JOURNAL = "journalctl --no-pager --lines 40";

/** A machine whose first process is systemd, with PostgreSQL, Redis, HAProxy and npm. */
export interface Machine {
  /** Runs a script of bash as root, and gives what it prints; throws with what it says. */
  run(script: string, input?: string): Promise<string>;
  stop(): Promise<void>;
}

/** Boots a machine that finds a folder of this one at /more; null, said loudly, where none can be had. */
export async function bootMachine(more: string): Promise<Machine | null> {
  try {
    if (!canInstall()) throw new Error("only root on Debian can make one");
    for (const port of PORTS) if (!(await isPortFree(port))) throw new Error(`port ${port} is taken`);
    // The package would start services of its own.
    await installPackages(["debootstrap systemd-container"], { RUNLEVEL: "1" });
    await promisify(execFile)(SCRIPT, ["make", FOLDER, process.execPath], { maxBuffer: 1e8 });
    const keeper = spawn(SCRIPT, ["boot", FOLDER, more], { stdio: "ignore" });
    const stop = () => end(keeper);
    const isUp = "systemctl is-system-running --wait; systemctl is-active postgresql@18-main redis-server";
    await until(
      () =>
        runInside(isUp).then(
          () => true,
          () => keeper.exitCode !== null,
        ),
      30_000,
    ).catch(stop);
    if (keeper.exitCode !== null || keeper.signalCode !== null) throw new Error("it does not boot");
    return { run: runInside, stop };
  } catch (error) {
    console.warn(`LEFT OUT: the units for systemd were not started: no machine (${error}).`);
    return null;
  }
}

async function runInside(script: string, input = ""): Promise<string> {
  const env = {
    ...{ PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", HOME: "/root" },
    ...{ LC_ALL: "C.UTF-8", NODE_EXTRA_CA_CERTS: "/usr/local/certificates.pem" },
  };
  // A session of its own has no terminal, of which a command would ask a password.
  const child = spawn(SCRIPT, ["in", FOLDER, "bash", "-euc", script], { env, detached: true });
  child.stdin.on("error", () => undefined).end(input);
  const said = { out: "", error: "" };
  child.stdout.on("data", (chunk) => (said.out += chunk));
  child.stderr.on("data", (chunk) => (said.error += chunk));
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code === 0) return said.out;
  const journal = script === JOURNAL ? "" : await runInside(JOURNAL).catch(() => "");
  throw new Error(`${script}\nended with ${code}: ${said.out}${said.error}\n${journal}`);
}

async function end(keeper: ChildProcess): Promise<void> {
  if (keeper.exitCode !== null || keeper.signalCode !== null) return;
  const ended = new Promise((resolve) => keeper.once("exit", resolve));
  keeper.kill("SIGTERM");
  await ended;
}
