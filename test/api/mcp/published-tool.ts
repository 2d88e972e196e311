import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { TestService } from "../../support/service.ts";
import { startProcess, until } from "../../support/service-process.ts";

const ENDS_WITHIN_MS = 20_000;

/** What a published program left when it ended. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a program that an installed package names in its package.json, in a folder and environment of its own. */
export async function runPublished(
  manifest: string,
  bin: string,
  args: readonly string[],
  folder: string,
): Promise<Ended> {
  const path = JSON.parse(await readFile(manifest, "utf8")).bin[bin];
  const running = startProcess({
    command: process.execPath,
    args: [join(dirname(manifest), path), ...args],
    cwd: folder,
    env: { HOME: folder, PATH: dirname(process.execPath), NO_COLOR: "1" },
  });
  const hasEnded = () => running.child.exitCode !== null || running.child.signalCode !== null;
  try {
    await until(hasEnded, ENDS_WITHIN_MS);
  } finally {
    running.child.kill("SIGKILL");
  }
  const { code } = await running.ended;
  const stdout = running.lines.map((line) => `${line.text}\n`).join("");
  return { code, stdout, stderr: running.stderr() };
}

/** Opens the service to this machine and gives the root of its addresses there. */
export const listen = (service: TestService): Promise<string> =>
  service.app.listen({ port: 0, host: "127.0.0.1" });
