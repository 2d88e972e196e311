import { printAnswer } from "./commands/answer.ts";
import { runCommand } from "./commands/program.ts";

// npm run --silent cli -- COMMAND: operators' commands, on the running service or with a database of their own.
process.exitCode = await printAnswer(() => runCommand(process.argv.slice(2)));
