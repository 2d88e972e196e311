import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const FOLDERS = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/bin"];

/** The Debian package of each program that checks a file of operators/. */
const PACKAGES = {
  "systemd-analyze": "systemd",
  nginx: "nginx-light",
  caddy: "caddy",
  haproxy: "haproxy",
  promtool: "prometheus",
} as const;

/** A program that checks a file of operators/. */
export type Checker = keyof typeof PACKAGES;

/** Where a checker is on this machine, installed from Debian where that is possible; null, said loudly, where not. */
export async function provideChecker(checker: Checker): Promise<string | null> {
  const found = find(checker);
  if (found !== null) return found;
  await install(PACKAGES[checker]);
  const installed = find(checker);
  if (installed === null) console.warn(`LEFT OUT: ${checker} is not here and cannot be installed.`);
  return installed;
}

function find(checker: Checker): string | null {
  return FOLDERS.map((folder) => join(folder, checker)).find((path) => existsSync(path)) ?? null;
}

async function install(name: string): Promise<void> {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  const command = `apt-get update -qq && apt-get install -y -qq --no-install-recommends ${name}`;
  // The packages would start servers of their own.
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  const child = spawn("sh", ["-c", command], { env, stdio: "ignore" });
  await new Promise((resolve) => child.once("exit", resolve));
}
