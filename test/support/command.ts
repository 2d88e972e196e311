import { join } from "node:path";
import { startProcess } from "./service-process.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** The result of a command: its exit code and its output. */
export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
  /** The one JSON object of standard output; throws when it is anything else. */
  json(): Record<string, unknown>;
  /** The refusal of standard error; throws when standard output holds a word, or the exit code is not 1. */
  refusal(): { code: string; message: string; errors?: Record<string, string[]> };
}

/** Runs an entry file of cli/ as a process, with an environment of its own, to its end. */
export async function runEntry(
  entry: "main.ts" | "migrate.ts",
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<CommandResult> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const command = startProcess({
    command: process.execPath,
    args: [join(ROOT, "cli", entry), ...args],
    env: { PATH, NODE_COMPILE_CACHE, LOG_LEVEL: "info", ...env },
  });
  const { code } = await command.ended;
  return readResult(code, command.lines.map((line) => `${line.text}\n`).join(""), command.stderr());
}

/** The result of a command that ended; `json` and `refusal` read the one that is expected. */
export function readResult(code: number | null, stdout: string, stderr: string): CommandResult {
  return {
    ...{ code, stdout, stderr },
    json() {
      if (code !== 0 || stdout.split("\n").length !== 2) {
        throw new Error(`exit ${code}, standard output: ${stdout}, standard error: ${stderr}`);
      }
      return JSON.parse(stdout);
    },
    refusal() {
      if (code !== 1 || stdout !== "") throw new Error(`exit ${code}, standard output: ${stdout}`);
      return JSON.parse(stderr).error;
    },
  };
}
