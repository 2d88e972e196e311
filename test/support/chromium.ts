import { spawn } from "node:child_process";
import { existsSync } from "node:fs";

// The shell without a user interface comes first: it takes two thirds of the processor time of the whole browser.
const PLACES = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];
const INSTALL = [
  "apt-get update -qq",
  "apt-get install -y -qq --no-install-recommends fonts-liberation",
  // Older systems have the whole browser only.
  "{ apt-get install -y -qq --no-install-recommends chromium-headless-shell || apt-get install -y -qq --no-install-recommends chromium; }",
].join(" && ");

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
