import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const INSTALL = "apt-get update -qq && apt-get install -y -qq --no-install-recommends default-jre-headless";

/** Where a Java is on this machine, or null. */
export function findJava(): string | null {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.map((folder) => join(folder, "java")).find((path) => existsSync(path)) ?? null;
}

/** Installs Debian's Java where that is possible: as root, with apt-get. Returns whether there is one now. */
export async function installJava(): Promise<boolean> {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return false;
  console.log("Installing Java for the test that checks pages with the Nu checker …");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const child = spawn("sh", ["-c", INSTALL], { env, stdio: ["ignore", "ignore", "inherit"] });
  await new Promise((resolve) => child.once("exit", resolve));
  return findJava() !== null;
}
