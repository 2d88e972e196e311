import type { Command } from "commander";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { addClient } from "../../shared/identity/oauth/clients.ts";
import { collect } from "../command-line/values.ts";
import type { RunCommand } from "../command-line/with-deps.ts";

/** client add. */
export function addCommands(program: Command, run: RunCommand): void {
  program
    .command("client")
    .description("programs that may ask owners for access by OAuth")
    .command("add")
    .description("enter a program that cannot describe itself; it gets the printed client_id")
    .requiredOption("--name <N>", "what owners are shown")
    .requiredOption("--redirect <URI>", "where answers may go; write it several times for several", collect)
    .action(async ({ name, redirect }: { name: string; redirect: string[] }) => {
      await run((deps) => addClient(deps, COMMAND_LINE, { name, redirectUris: redirect }));
    });
}
