import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { canInstall, installPackages } from "./debian.ts";

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
  // The packages would start servers of their own.
  if (canInstall()) await installPackages([PACKAGES[checker]], { RUNLEVEL: "1" });
  const installed = find(checker);
  if (installed === null) console.warn(`LEFT OUT: ${checker} is not here and cannot be installed.`);
  return installed;
}

function find(checker: Checker): string | null {
  return FOLDERS.map((folder) => join(folder, checker)).find((path) => existsSync(path)) ?? null;
}
