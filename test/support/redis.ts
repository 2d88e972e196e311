import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { choosePort } from "../../cli/embedded/port.ts";
import { canInstall, installPackages } from "./debian.ts";

const PLACES = ["/usr/bin/redis-server", "/usr/local/bin/redis-server", "/opt/homebrew/bin/redis-server"];
const START_MS = 10_000;

/** Where a Redis server is on this machine, or null. */
export function findRedis(): string | null {
  return PLACES.find((place) => existsSync(place)) ?? null;
}

/**
 * Installs Debian's Redis where that is possible: as root, with apt-get. Returns whether there is one now.
 */
export async function installRedis(): Promise<boolean> {
  if (!canInstall()) return false;
  console.log("Installing Redis for the tests of jobs that it carries …");
  // The package would start a server of its own on the usual port.
  await installPackages(["redis-server"], { RUNLEVEL: "1" });
  return findRedis() !== null;
}

/** A Redis server of one test, without persistence, on a free port. */
export interface TestRedis {
  url: string;
  port: number;
  pid(): number;
  /** Ends it by SIGKILL, as a crash does; its data is lost. */
  kill(): Promise<void>;
  /** Starts it again on its port. */
  restart(): Promise<void>;
  flush(): Promise<void>;
  /** Changes a setting of the running server. */
  set(name: string, value: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a Redis server; `settings` are further words of its command line. Throws where there is none. */
export async function startRedis(settings: readonly string[] = []): Promise<TestRedis> {
  const program = findRedis();
  if (program === null) throw new Error("there is no redis-server on this machine");
  const folder = await mkdtemp(join(tmpdir(), "broadsheet-redis-"));
  const port = await choosePort();
  const address = { port, password: readPassword(settings) };
  let child = await launch(program, folder, address, settings);
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  return {
    url: `redis://${address.password === undefined ? "" : `:${address.password}@`}127.0.0.1:${port}`,
    port,
    pid: () => child.pid ?? 0,
    kill,
    async restart() {
      await kill();
      child = await launch(program, folder, address, settings);
    },
    flush: () => ask(address, (client) => client.flushall()),
    set: (name, value) => ask(address, (client) => client.config("SET", name, value)),
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface ServerAddress {
  port: number;
  password: string | undefined;
}

function readPassword(settings: readonly string[]): string | undefined {
  return settings.find((_word, index) => settings[index - 1] === "--requirepass");
}

async function launch(
  program: string,
  folder: string,
  address: ServerAddress,
  settings: readonly string[],
): Promise<ChildProcess> {
  const words = [
    "--port",
    String(address.port),
    "--bind",
    "127.0.0.1",
    "--dir",
    folder,
    "--save",
    "",
    "--appendonly",
    "no",
  ];
  const child = spawn(program, [...words, ...settings], { stdio: "ignore" });
  const deadline = performance.now() + START_MS;
  while (!(await isAnswering(address))) {
    if (performance.now() > deadline || child.exitCode !== null) throw new Error("Redis did not start");
  }
  return child;
}

async function isAnswering(address: ServerAddress): Promise<boolean> {
  return await ask(address, (client) => client.ping()).then(
    () => true,
    () => false,
  );
}

async function ask(
  { port, password }: ServerAddress,
  work: (client: Redis) => Promise<unknown>,
): Promise<void> {
  const signIn = password === undefined ? {} : { password };
  const client = new Redis({
    ...signIn,
    port,
    host: "127.0.0.1",
    lazyConnect: true,
    retryStrategy: () => null,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await work(client);
  } finally {
    client.disconnect();
  }
}
