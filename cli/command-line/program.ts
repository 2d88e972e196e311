import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { Command, CommanderError } from "commander";
import { VERSION } from "../../shared/ground/version.ts";
import { type Outcome, refuseUsage } from "./answer.ts";
import { addListingCommands, LISTED_NOUNS } from "./listing.ts";
import { type RunCommand, withDeps } from "./with-deps.ts";

/** Adds the commands of one first word; those that print as they go call `finish` with their outcome. */
export type AddCommands = (program: Command, run: RunCommand, finish: (outcome: Outcome) => void) => void;

// A run loads the file of the typed word alone: all take 250 ms more.
const FOLDER = join(import.meta.dirname, "..", "commands");
/** The words that have a file of their own in cli/commands. */
const OWN_WORDS = readdirSync(FOLDER).map((file) => basename(file, ".ts"));
/** What a run may load alone; the whole command line knows what another word was meant to be. */
const WORDS: readonly string[] = [...OWN_WORDS, ...LISTED_NOUNS];

/** Runs the typed command and returns its outcome; a call for help has none, since the text was shown. */
export async function runCommand(args: readonly string[]): Promise<Outcome> {
  let outcome: Outcome = { answer: null, failed: false };
  const finish = (came: Outcome) => {
    outcome = came;
  };
  const program = await openProgram(
    async (work, { fails, write, ...how } = {}) => {
      const answer = await withDeps(work, how);
      const failed = fails?.(answer) ?? false;
      if (write === undefined) return finish({ answer, failed });
      process.stdout.write(write(answer));
      finish({ answer: null, failed });
    },
    finish,
    WORDS.find((word) => word === args[0]),
  );
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw refuseUsage(explain(error));
  }
  return outcome;
}

/**
 * Every command of the command line, or of one first word in full; commands that print as they go call `finish` with
 * their outcome.
 */
export async function openProgram(
  run: RunCommand,
  finish: (outcome: Outcome) => void,
  only?: string,
): Promise<Command> {
  const program = new Command("npm run --silent cli --")
    .description(
      "Operators' commands. Each prints one JSON object, doctor one a line; DATA_DIR or DATABASE_URL says of which service.",
    )
    .configureHelp({ sortSubcommands: true })
    .version(VERSION, "--version", "print the version of this code")
    // The commands below inherit these two settings, so they come first.
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  for (const word of OWN_WORDS) {
    if (only !== undefined && only !== word) continue;
    const { addCommands }: { addCommands: AddCommands } = await import(`../commands/${word}.ts`);
    addCommands(program, run, finish);
  }
  addListingCommands(program, run);
  refuseRepeated(program);
  return program;
}

/** Refuses an option that stands twice, unless it collects its values: the last one would silently win. */
function refuseRepeated(command: Command): void {
  for (const option of command.options.filter(({ parseArg }) => parseArg === undefined)) {
    let isGiven = false;
    command.on(`option:${option.name()}`, () => {
      if (isGiven) throw refuseUsage(`The option ${option.long} stands twice here. Write it once.`);
      isGiven = true;
    });
  }
  for (const below of command.commands) refuseRepeated(below);
}

/** The fault in the typed words, and how to mend it. */
function explain({ code, message }: CommanderError): string {
  const about = /'([^']*)'/.exec(message)?.[1] ?? "";
  const meant = /Did you mean (?:one of )?(.+)\?\)/.exec(message)?.[1];
  const mend = meant === undefined ? "Add --help to see what there is." : `Did you mean ${meant}?`;
  if (code === "commander.unknownCommand") return `There is no command ${about}. ${mend}`;
  if (code === "commander.unknownOption") return `There is no option ${about} here. ${mend}`;
  if (code === "commander.missingMandatoryOptionValue") return `The option ${about} is needed. ${mend}`;
  if (code === "commander.optionMissingArgument") return `The option ${about} needs a value. ${mend}`;
  if (code === "commander.missingArgument") return `The word ${about} is missing at the end. ${mend}`;
  if (code === "commander.excessArguments") return `There are words too many on this line. ${mend}`;
  return `Name a command, such as owner create or jobs status. ${mend}`;
}
