import { execFile } from "node:child_process";
import { promisify } from "node:util";

const MOST_MS = 30_000;

/** Runs the text of a module in a process of its own, with options of Node, and returns what it prints. */
export async function runScript(
  script: string,
  { options = [], env = {} }: { options?: readonly string[]; env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const args = [...options, "--input-type=module", "--eval", script];
  const more = { env: { ...process.env, ...env }, timeout: MOST_MS };
  return (await promisify(execFile)(process.execPath, args, more)).stdout;
}
