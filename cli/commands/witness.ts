import type { Command } from "commander";
import {
  addWitnessedLog,
  endWitnessedLog,
  listWitnessKeys,
  readWitnessedLogs,
  reopenWitnessedLog,
} from "../../shared/trust/witness/witnessed-logs.ts";
import type { RunCommand } from "../command-line/with-deps.ts";

/** witness log add, list, remove and reopen, witness key show. */
export function addCommands(program: Command, run: RunCommand): void {
  const witness = program.command("witness").description("this site as a witness of other logs (WITNESS=on)");
  const log = witness.command("log").description("the logs whose checkpoints are cosigned");
  log
    .command("add")
    .description("cosign a log; again with another key: both hold")
    .argument("<ORIGIN>", "the first line of its checkpoints, such as example.org/log")
    .argument("<VKEY>", "a verifier key that signs them, as its /log/vkeys has it")
    .action(async (origin: string, vkey: string) => {
      await run(async (deps) => addWitnessedLog(deps, origin, vkey));
    });
  log
    .command("list")
    .description("every log, with what was cosigned last")
    .action(async () => {
      await run(readWitnessedLogs);
    });
  log
    .command("remove")
    .description("cosign a log no more; what was cosigned is kept")
    .argument("<ORIGIN>", "the log")
    .action(async (origin: string) => {
      await run(async (deps) => endWitnessedLog(deps, origin));
    });
  log
    .command("reopen")
    .description("begin a log anew under a new key, after a restore")
    .argument("<ORIGIN>", "the log")
    .action(async (origin: string) => {
      await run(async (deps) => reopenWitnessedLog(deps, origin));
    });
  witness
    .command("key")
    .description("the keys that cosign")
    .command("show")
    .description("the verifier keys, the newest first; makes the first one")
    .action(async () => {
      await run(async (deps) => ({ vkeys: await listWitnessKeys(deps) }));
    });
}
