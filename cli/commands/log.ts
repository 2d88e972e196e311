import { readFile, writeFile } from "node:fs/promises";
import type { Command } from "commander";
import { refuseField } from "../../shared/ground/errors.ts";
import {
  addLogKey,
  makeLogKey,
  readLogStatus,
  reopenLog,
} from "../../shared/trust/transparency-log/operate-log.ts";
import {
  addWitness,
  readWitnesses,
  removeWitness,
} from "../../shared/trust/transparency-log/own-witnesses.ts";
import { verifyLog } from "../../shared/trust/transparency-log/verify-log.ts";
import type { Outcome } from "../command-line/answer.ts";
import { collect } from "../command-line/values.ts";
import type { RunCommand } from "../command-line/with-deps.ts";

interface VerifyOptions {
  site: string;
  log: string;
  vkey: string[];
  checkpoint?: string;
  proof?: string;
  save?: string;
  witness: string[];
  quorum?: string;
  entries?: boolean;
}

/** log status, log reopen, log key make, log key add, log witness add, list and remove, log verify. */
export function addCommands(program: Command, run: RunCommand, finish: (outcome: Outcome) => void): void {
  const log = program.command("log").description("the transparency log of publications");
  log
    .command("status")
    .description(
      "whether the log goes on, how long it is, and what waits for it; exit code 1 where it stands still",
    )
    .action(async () => {
      await run(readLogStatus, { fails: ({ standstill }) => standstill !== null && standstill !== "off" });
    });
  log
    .command("reopen")
    .description("begin another log where this one stands still; the one before stays readable")
    .action(async () => {
      await run(reopenLog);
    });
  addKeyCommands(log, run);
  addWitnessCommands(log, run);
  log
    .command("verify")
    .description("check the log of any site; exit code 1 where something does not hold")
    .requiredOption("--site <URL>", "the root of the site, such as https://example.org")
    .option("--log <NUMBER>", "a further log of the site", "1")
    .option(
      "--vkey <KEY>",
      "a verifier key that you know; may be repeated. Without: those that the site names",
      collect,
      [],
    )
    .option("--checkpoint <FILE>", "a checkpoint that you saved: the log must go on from it")
    .option("--proof <FILE>", "a proof that you saved")
    .option("--save <FILE>", "where to keep the checkpoint, once it holds")
    .option("--witness <KEY>", "the verifier key of a witness that you believe; may be repeated", collect, [])
    .option("--quorum <N>", "how many of them have to have signed. Without: all")
    .option("--entries", "read every entry, and not the edge of the tree alone")
    .action(async (options: VerifyOptions) => finish(await verify(options)));
}

function addKeyCommands(log: Command, run: RunCommand): void {
  const key = log.command("key").description("keys that sign the log");
  key
    .command("make")
    .description("print a new signer key for LOG_KEY; nothing keeps it")
    .action(async () => {
      await run(async (deps) => makeLogKey(deps));
    });
  key
    .command("add")
    .description("let a new key sign; the others sign beside it for 30 days")
    .action(async () => {
      await run(addLogKey);
    });
}

function addWitnessCommands(log: Command, run: RunCommand): void {
  const witness = log.command("witness").description("who cosigns the log");
  witness
    .command("add")
    .description("have a witness cosign every checkpoint from now on")
    .argument("<VKEY>", "its verifier key, of Ed25519 cosignature/v1")
    .argument("<URL>", "its submission prefix, such as https://example.org/witness")
    .action(async (vkey: string, url: string) => {
      await run(async (deps) => addWitness(deps, vkey, url));
    });
  witness
    .command("list")
    .description("every witness, with what it signed last and why it did not sign since")
    .action(async () => {
      await run(readWitnesses);
    });
  witness
    .command("remove")
    .description("ask a witness no more; its lines stay")
    .argument("<NAME>", "its name")
    .action(async (name: string) => {
      await run(async (deps) => removeWitness(deps, name));
    });
}

async function verify({
  site,
  log,
  vkey,
  checkpoint,
  proof,
  save,
  witness,
  quorum,
  entries = false,
}: VerifyOptions): Promise<Outcome> {
  const { checkpoint: note, ...verdict } = await verifyLog(readRoot(site, log), {
    vkeys: vkey,
    checkpoint: await readGiven("checkpoint", checkpoint),
    proof: await readGiven("proof", proof),
    witnessed: { vkeys: witness, quorum: readQuorum(quorum, witness.length) },
    entries,
  });
  const failed = verdict.faults.length > 0;
  if (save !== undefined && note !== null && !failed) await writeFile(save, note);
  return { answer: verdict, failed };
}

function readRoot(site: string, log: string): string {
  if (!/^[1-9]\d{0,3}$/.test(log)) throw refuseField("log", "--log takes the number of a log, 1 or more.");
  const url = URL.canParse(site) ? new URL(site) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw refuseField("site", "--site takes the root of a site, such as https://example.org.");
  }
  return `${site.replace(/\/+$/, "")}/log${log === "1" ? "" : `/${log}`}`;
}

function readQuorum(given: string | undefined, most: number): number {
  const quorum = given === undefined ? most : /^\d{1,2}$/.test(given) ? Number(given) : most + 1;
  if (quorum <= most) return quorum;
  throw refuseField(
    "quorum",
    `--quorum takes a whole number up to that of --witness, which is ${most} here.`,
  );
}

async function readGiven(name: string, path: string | undefined): Promise<string | null> {
  if (path === undefined) return null;
  return await readFile(path, "utf8").catch(() => {
    throw refuseField(name, `${path} cannot be read.`);
  });
}
