import { Command, CommanderError } from "commander";
import { VERSION } from "../../shared/version.ts";
import { addAgentCommands } from "./agent.ts";
import { type Outcome, refuseUsage } from "./answer.ts";
import { addBackupCommands } from "./backup.ts";
import { addClaimCommands } from "./claim.ts";
import { addClientCommands } from "./client.ts";
import { addCodeCommands } from "./code.ts";
import { addCreationCommands } from "./creation.ts";
import { addDoctorCommand } from "./doctor.ts";
import { addDomainCommands } from "./domain.ts";
import { addFilesCommands } from "./files.ts";
import { addGrantCommands } from "./grant.ts";
import { addInvitationCommands } from "./invitation.ts";
import { addJobsCommands } from "./jobs.ts";
import { addListingCommands } from "./listing.ts";
import { addLogCommands } from "./log.ts";
import { addMailCommands } from "./mail.ts";
import { addModeratorCommands } from "./moderator.ts";
import { addOwnerCommands } from "./owner.ts";
import { addRevisionCommands } from "./revision.ts";
import { addSiteCommands } from "./site.ts";
import { addStorageCommands } from "./storage.ts";
import { addSweepCommand } from "./sweep.ts";
import { addTopicCommands } from "./topic.ts";
import { addWebhookCommands } from "./webhook.ts";
import { type RunCommand, withDeps } from "./with-deps.ts";

/** Runs the typed command and returns its outcome; a call for help has none, since the text was shown. */
export async function runCommand(args: readonly string[]): Promise<Outcome> {
  let outcome: Outcome = { answer: null, failed: false };
  const finish = (came: Outcome) => {
    outcome = came;
  };
  const program = openProgram(async (work, { fails, write, ...how } = {}) => {
    const answer = await withDeps(work, how);
    const failed = fails?.(answer) ?? false;
    if (write === undefined) return finish({ answer, failed });
    process.stdout.write(write(answer));
    finish({ answer: null, failed });
  }, finish);
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw refuseUsage(explain(error));
  }
  return outcome;
}

/** Every command of the command line; commands that print as they go call `finish` with their outcome. */
export function openProgram(run: RunCommand, finish: (outcome: Outcome) => void): Command {
  const program = new Command("npm run --silent cli --")
    .description(
      "Operators' commands. Each prints one JSON object, doctor one a line; DATA_DIR or DATABASE_URL says of which service.",
    )
    .version(VERSION, "--version", "print the version of this code")
    // The commands below inherit these two settings, so they come first.
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  addOwnerCommands(program, run);
  addCodeCommands(program, run);
  addClaimCommands(program, run);
  addInvitationCommands(program, run);
  addAgentCommands(program, run);
  addClientCommands(program, run);
  addGrantCommands(program, run);
  addCreationCommands(program, run);
  addRevisionCommands(program, run);
  addDomainCommands(program, run);
  addWebhookCommands(program, run);
  addModeratorCommands(program, run);
  addTopicCommands(program, run);
  addSiteCommands(program, run);
  addJobsCommands(program, run);
  addSweepCommand(program, run);
  addMailCommands(program, run);
  addStorageCommands(program, run);
  addFilesCommands(program, run);
  addBackupCommands(program, run);
  addLogCommands(program, run, finish);
  addListingCommands(program, run);
  addDoctorCommand(program, finish);
  return program;
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
