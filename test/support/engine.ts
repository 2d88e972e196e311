import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";
import { canInstall, installPackages } from "./debian.ts";
import { until } from "./service-process.ts";

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, "..", "..");
const SCRIPT = join(import.meta.dirname, "engine.sh");
/** Kept for the next run: to get it takes some minutes. */
const FOLDER = process.env.ENGINE_FOLDER ?? "/var/cache/broadsheet-engine";
const DIGEST = /@sha256:[0-9a-f]{64}/g;

/** An engine for containers, with Compose. */
export interface Engine {
  /** The environment in which `docker` is its client. */
  env: NodeJS.ProcessEnv;
  /** Runs its client in a folder; returns what it prints, and throws with what it says. */
  docker(cwd: string, ...words: string[]): Promise<string>;
  /** Makes a copy of our files one that this engine can build: without a registry images have no digests. */
  adapt(folder: string): Promise<void>;
  stop(): Promise<void>;
}

/** This machine's engine, or one of Debian's packages in `bin`; null, said loudly, where neither can be had. */
export async function provideEngine(bin: string): Promise<Engine | null> {
  const own =
    spawnSync("docker", ["compose", "ls"]).status === 0 && spawnSync("docker", ["info"]).status === 0;
  if (own)
    return makeEngine(
      process.env,
      async () => undefined,
      async () => undefined,
    );
  try {
    if (!canInstall()) throw new Error("only root on Debian can make one");
    await installPackages(["debootstrap"]);
    await run(SCRIPT, ["make", FOLDER], { maxBuffer: 1e8 });
    const daemon = spawn(SCRIPT, ["run", FOLDER, "/dev/shm", ROOT], { stdio: "ignore" });
    const env = await putClient(bin);
    await until(() => spawnSync("docker", ["info"], { env, cwd: "/tmp" }).status === 0, 60_000);
    await run(SCRIPT, ["import", FOLDER, process.execPath, ...(await listImages())]);
    return makeEngine(env, dropDigests, () => end(daemon));
  } catch (error) {
    console.warn(`LEFT OUT: image, trial, scale file and upgrade in containers: no engine (${error}).`);
    return null;
  }
}

function makeEngine(env: NodeJS.ProcessEnv, adapt: Engine["adapt"], stop: Engine["stop"]): Engine {
  const docker = async (cwd: string, ...words: string[]) =>
    (await run("docker", words, { env, cwd, maxBuffer: 1e8 })).stdout;
  return { env, docker, adapt, stop };
}

/** `docker` for our scripts, too. */
async function putClient(bin: string): Promise<NodeJS.ProcessEnv> {
  const client = join(bin, "docker");
  await writeFile(client, `#!/bin/sh\nexec ${SCRIPT} docker ${FOLDER} "$@"\n`);
  await chmod(client, 0o755);
  return { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
}

const FILES = ["Dockerfile", "docker-compose.yml", "docker-compose.scale.yml"];

async function listImages(): Promise<string[]> {
  const texts = await Promise.all(FILES.map((file) => readFile(join(ROOT, file), "utf8")));
  const named = texts.join("\n").matchAll(/(?:^FROM| image:) (\S+)@sha256:/gm);
  return [...new Set([...named].map(([, image = ""]) => image))];
}

async function dropDigests(folder: string): Promise<void> {
  for (const file of FILES) {
    const text = await readFile(join(folder, file), "utf8").catch(() => null);
    if (text !== null) await writeFile(join(folder, file), text.replace(DIGEST, ""));
  }
}

async function end(daemon: ChildProcess): Promise<void> {
  if (daemon.exitCode !== null) return;
  const ended = new Promise((done) => daemon.once("exit", done));
  daemon.kill("SIGTERM");
  await ended;
}
