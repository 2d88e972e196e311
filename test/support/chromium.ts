import { spawn } from "node:child_process";
import { existsSync } from "node:fs";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const INSTALL =
  "apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-liberation";

/** Where a Chromium is on this machine, or null. */
export function findChromium(): string | null {
  return PLACES.find((place) => existsSync(place)) ?? null;
}

/**
 * Installs Debian's Chromium where that is possible: as root, with apt-get. Returns whether there is one now.
 */
export async function installChromium(): Promise<boolean> {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return false;
  console.log("Installing Chromium for the tests that look at pages …");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const child = spawn("sh", ["-c", INSTALL], { env, stdio: ["ignore", "ignore", "inherit"] });
  await new Promise((resolve) => child.once("exit", resolve));
  return findChromium() !== null;
}
