import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "./published-packages.ts";

/** A Python with packages of others. */
export interface PythonPackages {
  /** Runs a script of `test/support` to its end; throws what it wrote where it fails. */
  run(script: string, args: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

/** Installs packages, each as name==version, into a Python of their own; null, said loudly, where that cannot be. */
export async function installPythonPackages(packages: readonly string[]): Promise<PythonPackages | null> {
  const folder = await mkdtemp(join(tmpdir(), "broadsheet-python-"));
  const remove = async () => await rm(folder, { recursive: true, force: true });
  const python = join(folder, "bin", "python");
  for (const [program, args] of [
    ["python3", ["-m", "venv", folder]],
    [python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...packages]],
  ] as const) {
    const { code, output } = await run(program, args, folder);
    if (code === 0) continue;
    await remove();
    console.warn(`LEFT OUT: Python could not install ${packages.join(", ")}:\n${output}`);
    return null;
  }
  return {
    async run(script, args) {
      const { code, output } = await run(python, [join(import.meta.dirname, script), ...args], folder);
      if (code !== 0) throw new Error(`${script} failed:\n${output}`);
      return output;
    },
    remove,
  };
}
