import { existsSync } from "node:fs";
import { canInstall, installPackages } from "./debian.ts";

// The shell without a user interface comes first: it takes two thirds of the processor time of the whole browser.
const PLACES = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];
// Older systems have the whole browser only.
const PACKAGES = ["chromium-headless-shell fonts-liberation", "chromium fonts-liberation"];

/** Where a Chromium is on this machine, or null. */
export function findChromium(): string | null {
  return PLACES.find((place) => existsSync(place)) ?? null;
}

/**
 * Installs Debian's Chromium where that is possible: as root, with apt-get. Returns whether there is one now.
 */
export async function installChromium(): Promise<boolean> {
  if (!canInstall()) return false;
  console.log("Installing Chromium for the tests that look at pages …");
  await installPackages(PACKAGES);
  return findChromium() !== null;
}
