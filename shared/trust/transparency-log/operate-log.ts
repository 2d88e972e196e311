import { isUntouched } from "../../../sql/care/snapshot.ts";
import { lockName } from "../../../sql/platform/locks.ts";
import { findBacklog } from "../../../sql/trust/log-outbox.ts";
import { insertLogKey, type LogRow } from "../../../sql/trust/logs.ts";
import { refuse } from "../../ground/errors.ts";
import { DAY_MS, toIso, toIsoOrNull } from "../../ground/times.ts";
import { COMMAND_LINE, makeAct, recordAct } from "../../identity/audit/record-act.ts";
import type { Config } from "../../platform/config.ts";
import type { Deps } from "../../platform/deps.ts";
import { openSigner, type SignerKey, writeSignerKey } from "../../text/transparency-log/signed-note.ts";
import { composeReopening } from "./compose-entry.ts";
import { addToKeyFile, makeKeyFile, makeSignerKey, originOf, readSignerKeys } from "./log-keys.ts";
import { type LogState, readLogState, STANDSTILLS } from "./log-state.ts";
import { appendEntries, beginLog } from "./sequence-log.ts";

/** How long a key signs beside the one that replaces it. */
const BOTH_SIGN_MS = 30 * DAY_MS;

/** Makes the key of the log at the first start of a service that has nothing yet. */
export async function makeFirstLogKey(config: Config, databaseUrl: string): Promise<void> {
  if (await isUntouched(databaseUrl)) await makeKeyFile(config);
}

/** Whether the log goes on, how long it is, and what waits for it. */
export async function readLogStatus(deps: Deps) {
  const { log, keys, signed, standstill } = await readLogState(deps, deps.pool);
  const { count, oldest_at } = await findBacklog(deps.pool);
  return {
    standstill,
    detail: standstill === null ? "The log goes on." : STANDSTILLS[standstill].detail,
    mend: standstill === null ? null : STANDSTILLS[standstill].mend,
    log: log && { number: log.number, origin: log.origin, began_at: toIso(log.began_at), size: log.size },
    keys: keys.map(({ vkey, added_at, retires_at }) => ({
      vkey,
      added_at: toIso(added_at),
      retires_at: toIsoOrNull(retires_at),
    })),
    signed_here: signed,
    waiting: count,
    waiting_since: toIsoOrNull(oldest_at),
  };
}

/** A new key in the form of LOG_KEY; nothing keeps it. */
export function makeLogKey({ config }: Deps) {
  const key = makeSignerKey(originOf(config.siteUrl, 1));
  return { signer_key: writeSignerKey(key) };
}

/**
 * Adds a key to the log: the first of LOG_KEY that the log does not know, else a new one in the file. The others sign
 * beside it for thirty days. Without a log it is the key of the first one.
 */
export async function addLogKey(deps: Deps) {
  const state = await readLogState(deps, deps.pool);
  const { log, standstill } = state;
  if (log === null) return await addFirstKey(deps, state);
  if (standstill !== null) throw refuseStandstill(standstill);
  const key = await chooseNewKey(deps, log, state);
  const { vkey } = openSigner(log.origin, key.seed);
  const nowMs = deps.now();
  const othersRetireMs = nowMs + BOTH_SIGN_MS;
  // The sequencer signs with keys that the database knows, so the file may have one before.
  if (deps.config.logKeys === undefined) await addToKeyFile(deps.config, key);
  await deps.pool.transaction(async (tx) => {
    await lockName(tx, "sequencer:log");
    await insertLogKey(tx, { number: log.number, vkey, nowMs, othersRetireMs });
    await recordAct(
      tx,
      COMMAND_LINE,
      makeAct("log", `${log.number}`, "log.add_key", { detail: { vkey } }),
      nowMs,
    );
  });
  return { vkey, others_sign_until: toIso(othersRetireMs) };
}

async function addFirstKey(deps: Deps, { standstill }: LogState) {
  if (standstill === "behind") throw refuseStandstill(standstill);
  if (standstill === "off") await makeKeyFile(deps.config);
  const [key] = await readSignerKeys(deps.config);
  if (key === undefined) throw new Error("the key of the log that was just made is missing");
  return { vkey: openSigner(originOf(deps.config.siteUrl, 1), key.seed).vkey, others_sign_until: null };
}

async function chooseNewKey({ config }: Deps, log: LogRow, { keys }: LogState): Promise<SignerKey> {
  if (config.logKeys === undefined) return makeSignerKey(log.origin);
  const known = new Set(keys.map(({ vkey }) => vkey));
  const given = await readSignerKeys(config);
  const unknown = given.find(({ seed }) => !known.has(openSigner(log.origin, seed).vkey));
  if (unknown !== undefined) return unknown;
  const mend =
    "Put a new one (log key make) before the others in LOG_KEY, for this command and for the workers.";
  throw refuse("invalid_revision_state", "LOG_KEY has no key that the log does not know.", mend);
}

/**
 * Begins another log where the one before stands still; its first entry has the last known checkpoint of that. It is
 * signed by the newest key that there is, or by a new one.
 */
export async function reopenLog(deps: Deps) {
  const { standstill } = await readLogState(deps, deps.pool);
  if (standstill === null || standstill === "off") {
    const mend = standstill === null ? "There is nothing to reopen." : "Make its first key: log key add.";
    throw refuse(
      "invalid_revision_state",
      standstill === null ? "The log goes on." : "The log is off.",
      mend,
    );
  }
  await makeKeyFile(deps.config);
  const [key] = await readSignerKeys(deps.config);
  if (key === undefined) throw new Error("the key of the log that was just made is missing");
  return await deps.pool.transaction(async (tx) => {
    await lockName(tx, "sequencer:log");
    const { log, signed } = await readLogState(deps, tx);
    const number = Math.max(log?.number ?? 0, signed?.number ?? 0) + 1;
    const signers = [openSigner(originOf(deps.config.siteUrl, number), key.seed)];
    const begun = await beginLog(tx, deps, { number, signers });
    await appendEntries(tx, deps, begun, signers, [composeReopening(log?.note ?? null, deps.now())]);
    const act = makeAct("log", `${number}`, "log.reopen", { detail: { standstill } });
    await recordAct(tx, COMMAND_LINE, act, deps.now());
    return { log: number, origin: begun.origin, vkey: signers[0]?.vkey ?? null, was: standstill };
  });
}

function refuseStandstill(standstill: NonNullable<LogState["standstill"]>) {
  const { detail, mend } = STANDSTILLS[standstill];
  return refuse("invalid_revision_state", detail, mend ?? undefined);
}
