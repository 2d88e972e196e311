import { Command } from "commander";
import { loadConfig } from "../shared/platform/config.ts";
import { warnOfGoneVariables } from "../shared/platform/environment/gone.ts";
import { migrate } from "../shared/platform/process/migrate.ts";
import { printAnswer, printNotice } from "./command-line/answer.ts";
import { withDatabase } from "./embedded/running.ts";

// npm run migrate: brings the database to the newest schema and prints which migrations ran.
const { expand: onlyExpand } = new Command("npm run migrate --")
  .description("Brings the database to the schema of this code.")
  .option(
    "--expand",
    "leave out what the version before does not work with, whose processes still run",
    false,
  )
  .parse()
  .opts<{ expand: boolean }>();
process.exitCode = await printAnswer(async () => {
  warnOfGoneVariables(process.env, printNotice);
  const work = (url: string) => migrate(url, { onlyExpand });
  const { applied, waiting } = await withDatabase(loadConfig(process.env), work, { makes: true });
  return { answer: onlyExpand ? { applied, waiting } : { applied }, failed: false };
});
