import { printAnswer } from "./command-line/answer.ts";
import { runCommand } from "./command-line/program.ts";

// npm run --silent cli -- COMMAND: operators' commands, on the running service or with a database of their own.
process.exitCode = await printAnswer(() => runCommand(process.argv.slice(2)));
