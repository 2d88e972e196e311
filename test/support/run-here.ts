import { vi } from "vitest";
import { printAnswer } from "../../cli/command-line/answer.ts";
import { runCommand } from "../../cli/command-line/program.ts";
import { type CommandResult, readResult } from "./command.ts";
import type { TestService } from "./service.ts";

/**
 * Runs an operators' command in this process, as its entry file does: what a process adds (its start, its exit) is the
 * subject of `test/cli/command-lines.test.ts`, and costs two seconds of the processor a command.
 */
export async function runHere(args: readonly string[], env: NodeJS.ProcessEnv): Promise<CommandResult> {
  const before = { ...process.env };
  const written = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      written[name] += String(text);
      return true;
    }),
  );
  Object.assign(process.env, { LOG_LEVEL: "info" }, env);
  try {
    const code = await printAnswer(() => runCommand(args));
    return readResult(code, written.stdout, written.stderr);
  } finally {
    for (const spy of spies) spy.mockRestore();
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
}

/**
 * Runs an operators' command on a service of this process, by its clock: that goes on while the command runs, and stands
 * still again at its end.
 */
export async function runBeside(
  { databaseUrl, clock }: Pick<TestService, "databaseUrl" | "clock">,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<CommandResult> {
  const offsetMs = clock.nowMs - Date.now();
  const result = await runHere(args, {
    ...{ DATABASE_URL: databaseUrl, DATA_DIR: "/nowhere", SITE_URL: "" },
    ...{ NODE_ENV: "test", CLOCK_OFFSET_MS: String(offsetMs) },
    ...env,
  });
  clock.nowMs = Date.now() + offsetMs;
  return result;
}
