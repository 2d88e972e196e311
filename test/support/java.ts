import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { canInstall, installPackages } from "./debian.ts";

/** Where a Java is on this machine, or null. */
export function findJava(): string | null {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.map((folder) => join(folder, "java")).find((path) => existsSync(path)) ?? null;
}

/** Installs Debian's Java where that is possible: as root, with apt-get. Returns whether there is one now. */
export async function installJava(): Promise<boolean> {
  if (!canInstall()) return false;
  console.log("Installing Java for the test that checks pages with the Nu checker …");
  await installPackages(["default-jre-headless"]);
  return findJava() !== null;
}
