import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

export const ROOT = join(import.meta.dirname, "..", "..");

const Report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  success: z.boolean(),
  testResults: z.array(
    z.object({
      name: z.string(),
      startTime: z.number(),
      endTime: z.number(),
      status: z.string(),
      message: z.string().default(""),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

/** The report of vitest about one run. */
export type Report = z.infer<typeof Report>;

/** One run of vitest: its arguments, and the processes that run its files at once. */
export interface Stage {
  name: string;
  args: readonly string[];
}

/** A stage that ended; without a report something else than a test failed. */
export interface EndedStage {
  name: string;
  seconds: number;
  report: Report | null;
}

/**
 * How a run reports: `file` takes the report, `env` names the folder of temporary files, `isQuiet` holds the
 * output back.
 */
interface Places {
  file: string;
  env: NodeJS.ProcessEnv;
  isQuiet: boolean;
}

/** Runs one stage to its end; the output of a quiet one is written when it has ended. */
export async function runStage({ name, args }: Stage, { file, env, isQuiet }: Places): Promise<EndedStage> {
  const vitest = join(ROOT, "node_modules", "vitest", "vitest.mjs");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const started = performance.now();
  const child = spawn(process.execPath, [vitest, "run", "--passWithNoTests=false", ...reporters, ...args], {
    cwd: ROOT,
    env,
    stdio: ["ignore", isQuiet ? "pipe" : "inherit", isQuiet ? "pipe" : "inherit"],
  });
  const held: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => held.push(chunk));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  const seconds = (performance.now() - started) / 1000;
  if (isQuiet) process.stdout.write(Buffer.concat(held));
  const text = await readFile(file, "utf8").catch(() => null);
  const report = text === null ? null : Report.parse(JSON.parse(text));
  // A run that failed for another reason than a test (an error between tests) must not count as passed.
  const isBroken = report === null || (code !== 0 && report.numFailedTests === 0 && report.success);
  return { name, seconds, report: isBroken ? null : report };
}
