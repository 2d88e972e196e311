import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { z } from "zod";

const PROGRAM = join(import.meta.dirname, "..", "main.ts");
const run = promisify(execFile);

/** Runs an operator's command as a process of its own, as `npm run --silent cli -- …` does, and reads what it prints. */
export type RunCli = <Schema extends z.ZodType>(
  schema: Schema,
  args: readonly string[],
) => Promise<z.infer<Schema>>;

/** Commands on the service of this environment. */
export function openCli(env: NodeJS.ProcessEnv): RunCli {
  return async (schema, args) => {
    const { stdout } = await run(process.execPath, [PROGRAM, ...args], { env });
    return schema.parse(JSON.parse(stdout));
  };
}
