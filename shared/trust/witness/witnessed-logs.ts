import type { Tx } from "../../../sql/connection/pool.ts";
import { withLock } from "../../../sql/platform/locks.ts";
import {
  beginWitnessedLogAnew,
  insertWitnessedLog,
  listWitnessedLogs,
  lockWitnessedLog,
  removeWitnessedLog,
  type WitnessedLogRow,
} from "../../../sql/trust/witnessed-logs.ts";
import { orNotFound, refuse, refuseField } from "../../ground/errors.ts";
import { toIsoOrNull } from "../../ground/times.ts";
import { COMMAND_LINE, makeAct, recordAct } from "../../identity/audit/record-act.ts";
import type { Deps } from "../../platform/deps.ts";
import { openCosigner } from "../../text/transparency-log/cosignature.ts";
import { readVerifier } from "../../text/transparency-log/signed-note.ts";
import {
  addToKeyFile,
  makeKeyFile,
  makeSignerKey,
  readWitnessKeys,
  witnessNameOf,
} from "../transparency-log/log-keys.ts";
import { findCosigner } from "./cosign-checkpoint.ts";
import { hasBegun, saveCosignedSize } from "./cosigned-sizes.ts";

const NO_LOG = "log that this site is a witness of";
const ORIGIN = /^\P{Cc}{1,300}$/u;

/** The verifier keys of this witness, the newest first; makes the file where there is no key. */
export async function listWitnessKeys({ config }: Pick<Deps, "config">): Promise<readonly string[]> {
  await makeKeyFile(config, "witness");
  const keys = await readWitnessKeys(config);
  return keys.map(({ seed }) => openCosigner(witnessNameOf(config.siteUrl), seed).vkey);
}

/** Lets the checkpoints of a log be cosigned that this key signed, beside keys that were added before. */
export async function addWitnessedLog(deps: Deps, origin: string, key: string) {
  if (!ORIGIN.test(origin)) {
    throw refuseField(
      "origin",
      "ORIGIN is the first line of the log's checkpoints, such as example.org/log.",
    );
  }
  if (readVerifier(key) === null) {
    throw refuseField(
      "vkey",
      "VKEY is the log's verifier key <name>+<id>+<key> of Ed25519, as its /log/vkeys has it.",
    );
  }
  const [vkey = ""] = await listWitnessKeys(deps);
  const nowMs = deps.now();
  const isNew = await deps.pool.transaction(async (tx) => {
    await record(tx, deps, "witness.add_log", { origin, vkey: key });
    return await insertWitnessedLog(tx, { origin, key, vkey, nowMs });
  });
  if (isNew) await saveCosignedSize(deps, origin, true);
  return present(await readLog(deps, origin));
}

/** Every log that this site is a witness of. */
export async function readWitnessedLogs(deps: Deps) {
  const logs = (await listWitnessedLogs(deps.pool)).filter(({ removed_at }) => removed_at === null);
  return { logs: await Promise.all(logs.map(async ({ origin }) => present(await readLog(deps, origin)))) };
}

/** Ends the witness of a log. */
export async function endWitnessedLog(deps: Deps, origin: string) {
  await deps.pool.transaction(async (tx) => {
    const log = await lockWitnessedLog(tx, origin);
    if (log === null || log.removed_at !== null) orNotFound(NO_LOG, null);
    await removeWitnessedLog(tx, origin, deps.now());
    await record(tx, deps, "witness.remove_log", { origin });
  });
  return { removed: origin };
}

/**
 * Begins the witness of a log that stands still anew, without what was cosigned, under a key that has not cosigned it: a new
 * one in the file, or the first of WITNESS_KEY. Of two that do so at once the second finds that it goes on.
 */
export async function reopenWitnessedLog(deps: Deps, origin: string) {
  await withLock(deps.pool, { name: "witness:reopen", waits: true }, async () => {
    const log = await readLog(deps, origin);
    if (!log.standsStill) {
      throw refuse("invalid_revision_state", "The log is cosigned.", "There is nothing to reopen.");
    }
    const vkey = await chooseNewKey(deps, log);
    await deps.pool.transaction(async (tx) => {
      await beginWitnessedLogAnew(tx, origin, vkey);
      await record(tx, deps, "witness.reopen_log", { origin, vkey });
    });
    await saveCosignedSize(deps, origin, true);
  });
  return present(await readLog(deps, origin));
}

async function chooseNewKey(deps: Deps, log: WitnessedLogRow): Promise<string> {
  const { config } = deps;
  if (config.witnessKeys === undefined) {
    const name = witnessNameOf(config.siteUrl);
    const key = makeSignerKey(name);
    await addToKeyFile(config, key, "witness");
    return openCosigner(name, key.seed).vkey;
  }
  const [first = ""] = await listWitnessKeys(deps);
  if (!(await hasBegun(config, first, log))) return first;
  const mend =
    "Put a new one (log key make) before the others in WITNESS_KEY, for this command and for the API.";
  throw refuse("invalid_revision_state", "The first key of WITNESS_KEY has cosigned this log before.", mend);
}

/** A log, and whether it is cosigned no more; another process may go on with row and file meanwhile, so the row is locked. */
async function readLog({ pool, config }: Deps, origin: string) {
  return await pool.transaction(async (tx) => {
    const log = orNotFound(NO_LOG, await lockWitnessedLog(tx, origin));
    return { ...log, standsStill: (await findCosigner(config, log)) === null };
  });
}

function present({ standsStill, ...log }: Awaited<ReturnType<typeof readLog>>) {
  return {
    origin: log.origin,
    keys: log.keys,
    vkey: log.vkey,
    size: log.size,
    cosigned_at: toIsoOrNull(log.cosigned_at),
    mend: standsStill
      ? `It stands still, as after a restore or without its key: witness log reopen "${log.origin}".`
      : null,
  };
}

async function record(tx: Tx, deps: Deps, action: string, detail: Record<string, string>): Promise<void> {
  await recordAct(tx, COMMAND_LINE, makeAct("witness", detail.origin ?? "", action, { detail }), deps.now());
}
