import { Command, CommanderError } from "commander";
import { VERSION } from "../../shared/ground/version.ts";
import { type Outcome, refuseUsage } from "./answer.ts";
import { addListingCommands, LISTED_NOUNS } from "./listing.ts";
import { type RunCommand, withDeps } from "./with-deps.ts";

type AddCommands = (program: Command, run: RunCommand, finish: (outcome: Outcome) => void) => void;

/** The commands by their first word, in the order of the help. A run loads those of the typed word: all take 250 ms more. */
const GROUPS: Record<string, () => Promise<AddCommands>> = {
  owner: async () => (await import("./owner.ts")).addOwnerCommands,
  code: async () => (await import("./code.ts")).addCodeCommands,
  claim: async () => (await import("./claim.ts")).addClaimCommands,
  invitation: async () => (await import("./invitation.ts")).addInvitationCommands,
  agent: async () => (await import("./agent.ts")).addAgentCommands,
  client: async () => (await import("./client.ts")).addClientCommands,
  grant: async () => (await import("./grant.ts")).addGrantCommands,
  creation: async () => (await import("./creation.ts")).addCreationCommands,
  revision: async () => (await import("./revision.ts")).addRevisionCommands,
  domain: async () => (await import("./domain.ts")).addDomainCommands,
  webhook: async () => (await import("./webhook.ts")).addWebhookCommands,
  moderator: async () => (await import("./moderator.ts")).addModeratorCommands,
  topic: async () => (await import("./topic.ts")).addTopicCommands,
  site: async () => (await import("./site.ts")).addSiteCommands,
  jobs: async () => (await import("./jobs.ts")).addJobsCommands,
  sweep: async () => (await import("./sweep.ts")).addSweepCommand,
  mail: async () => (await import("./mail.ts")).addMailCommands,
  storage: async () => (await import("./storage.ts")).addStorageCommands,
  files: async () => (await import("./files.ts")).addFilesCommands,
  backup: async () => (await import("./backup.ts")).addBackupCommands,
  log: async () => (await import("./log.ts")).addLogCommands,
};

/** What a run may load alone; the whole command line knows what another word was meant to be. */
const WORDS: readonly string[] = [...Object.keys(GROUPS), ...LISTED_NOUNS, "doctor"];

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
    .version(VERSION, "--version", "print the version of this code")
    // The commands below inherit these two settings, so they come first.
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  for (const [word, load] of Object.entries(GROUPS)) {
    if (only === undefined || only === word) (await load())(program, run, finish);
  }
  addListingCommands(program, run);
  if (only === undefined || only === "doctor")
    (await import("./doctor.ts")).addDoctorCommand(program, finish);
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
