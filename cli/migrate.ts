import { loadConfig } from "../shared/config.ts";
import { migrate } from "../shared/process/migrate.ts";
import { printAnswer } from "./commands/answer.ts";
import { withDatabase } from "./embedded/running.ts";

// npm run migrate: brings the database to the newest schema and prints which migrations ran.
process.exitCode = await printAnswer(async () => ({
  answer: await withDatabase(loadConfig(process.env), migrate),
  failed: false,
}));
