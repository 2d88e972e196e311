import type { Command } from "commander";
import { examineDatabase, MIGRATIONS } from "../../shared/care/doctor/database.ts";
import { examine } from "../../shared/care/doctor/examine.ts";
import { type Finding, fail, ok, warn } from "../../shared/care/doctor/finding.ts";
import { ConfigError } from "../../shared/ground/errors.ts";
import { type Config, loadConfig } from "../../shared/platform/config.ts";
import { warnOfGoneVariables } from "../../shared/platform/environment/gone.ts";
import { type Outcome, printLine } from "../command-line/answer.ts";
import { type RunCommand, withOpenDeps } from "../command-line/with-deps.ts";
import { withDatabase } from "../embedded/running.ts";

/**
 * doctor: checks every part that the service depends on; one finding a line, exit code 1 where one is a
 * failure.
 */
export function addCommands(program: Command, _run: RunCommand, finish: (outcome: Outcome) => void): void {
  program
    .command("doctor")
    .description("check configuration, database, Redis, files, clock, queues and mail; one finding a line")
    .action(async () => {
      let failed = false;
      const tell = (finding: Finding) => {
        failed ||= finding.status === "fail";
        printLine(finding);
      };
      await findAll(tell);
      finish({ answer: null, failed });
    });
}

async function findAll(tell: (finding: Finding) => void): Promise<void> {
  const config = readConfig(tell);
  if (config === null) return;
  try {
    // Nothing is made and nothing is migrated here: a schema that is behind is a finding.
    await withDatabase(config, async (databaseUrl) => {
      const findings = await examineDatabase(databaseUrl);
      for (const finding of findings) tell(finding);
      // A database whose schema is behind has no queues and files to ask for.
      if (findings.some(({ check, status }) => check === MIGRATIONS && status === "fail")) return;
      await withOpenDeps(config, databaseUrl, async (deps) => {
        for await (const finding of examine(deps)) tell(finding);
      });
    });
  } catch (error) {
    if (error instanceof ConfigError) {
      tell(fail("database", error.message, "Set DATA_DIR or DATABASE_URL as the service has it."));
      return;
    }
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    tell(fail("database", `It does not answer: ${reason}`, "Check that it runs and DATABASE_URL is right."));
  }
}

/** The configuration; null where a variable is wrong, which is told. */
function readConfig(tell: (finding: Finding) => void): Config | null {
  try {
    const config = loadConfig(process.env);
    warnOfGoneVariables(process.env, (sentence) =>
      tell(warn("configuration", sentence, "Unset them where the service is started.")),
    );
    tell(ok("configuration", "Every variable can be used."));
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const line of error.message.split("\n")) tell(fail("configuration", line, "Set the variable anew."));
    return null;
  }
}
