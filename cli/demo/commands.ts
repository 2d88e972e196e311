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

/**
 * Runs commands on the service's database, by its address and not by the data folder: a command that still
 * ran after the service had stopped would start a PostgreSQL of its own there.
 */
export function openCli(env: NodeJS.ProcessEnv, databaseUrl: string): RunCli {
  const surroundings = { ...env, DATABASE_URL: databaseUrl };
  return async (schema, args) => {
    const { stdout } = await run(process.execPath, [PROGRAM, ...args], { env: surroundings });
    return schema.parse(JSON.parse(stdout));
  };
}
