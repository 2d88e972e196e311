import { spawn } from "node:child_process";
import { existsSync } from "node:fs";

const GET = "apt-get install -y -qq --no-install-recommends";

/** Whether packages can be installed here: as root, where there is apt-get. */
export function canInstall(): boolean {
  return process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
}

/** Installs the first of these lists of Debian's packages, each parted by blanks, that can be had; never rejects. */
export async function installPackages(lists: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<void> {
  const command = `apt-get update -qq && { ${lists.map((list) => `${GET} ${list}`).join(" || ")}; }`;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", ...more };
  const child = spawn("sh", ["-c", command], { env, stdio: ["ignore", "ignore", "inherit"] });
  await new Promise((resolve) => child.once("exit", resolve));
}
