import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach } from "vitest";
import { closeAfterwards } from "./close-afterwards.ts";

const WITHIN_MS = 300_000;

/** Mermaid, whose parser and drawings are compared with ours. Its tree is 80 packages and 180 MB. */
export const MERMAID = "mermaid@12.3.0";

/** Programs of others, installed beside the project because their trees are larger than ours. */
export interface PublishedPackages {
  folder: string;
  remove(): Promise<void>;
}

/** Installs packages, each as name@version, into a folder of their own; null, said loudly, where there is no registry. */
export async function installPackages(packages: readonly string[]): Promise<PublishedPackages | null> {
  const folder = await mkdtemp(join(tmpdir(), "broadsheet-packages-"));
  const remove = async () => await rm(folder, { recursive: true, force: true });
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "commonjs" }));
  const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--save-exact"];
  const { code, output } = await run("npm", ["install", "--prefix", folder, ...options, ...packages], folder);
  if (code === 0) return { folder, remove };
  await remove();
  console.warn(`LEFT OUT: npm could not install ${packages.join(", ")}:\n${output}`);
  return null;
}

/**
 * Installs packages for the tests of a file into a folder that goes with them. Null where there is no registry: each test
 * is skipped then, which a run in CI counts as failed.
 */
export async function usePackages(...packages: string[]): Promise<string | null> {
  const installed = await installPackages(packages);
  if (installed !== null) closeAfterwards(installed.remove);
  beforeEach((context) => context.skip(installed === null, `npm could not install ${packages.join(", ")}`));
  return installed?.folder ?? null;
}

/** Runs a program to its end in a folder; its exit code and what it wrote. */
export async function run(
  program: string,
  args: readonly string[],
  folder: string,
  variables: Record<string, string> = {},
): Promise<{ code: number; output: string }> {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("VITEST"));
  const env = { ...Object.fromEntries(own), NODE_ENV: undefined, ...variables };
  return await new Promise((resolve) => {
    const options = { cwd: folder, env, timeout: WITHIN_MS, maxBuffer: 64e6 };
    execFile(program, args, options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : 1, output: `${stdout}${stderr}` });
    });
  });
}
