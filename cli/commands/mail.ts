import type { Command } from "commander";
import { sendTestMail } from "../../shared/platform/mail/mailer.ts";
import { readEmailOption } from "../command-line/values.ts";
import type { RunCommand } from "../command-line/with-deps.ts";

/** mail test. */
export function addCommands(program: Command, run: RunCommand): void {
  program
    .command("mail")
    .description("the mail that the service sends")
    .command("test")
    .description(
      "send one message now and print what the mail server answered; exit code 1 where it was not taken",
    )
    .requiredOption("--to <EMAIL>", "who gets it")
    .action(async ({ to }: { to: string }) => {
      const email = readEmailOption("to", to);
      await run(({ config }) => sendTestMail(config, email), { fails: ({ accepted }) => !accepted });
    });
}
