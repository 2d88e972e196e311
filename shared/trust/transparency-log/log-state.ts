import type { Db } from "../../../sql/connection/pool.ts";
import { findCurrentLog, type LogKeyRow, type LogRow, listLogKeys } from "../../../sql/trust/logs.ts";
import type { Deps } from "../../platform/deps.ts";
import { openSigner, type Signer, type SignerKey } from "../../text/transparency-log/signed-note.ts";
import { originOf, readSignedSize, readSignerKeys, type SignedSize } from "./log-keys.ts";

/** Why nothing is signed: the log is off, or it stands still until an operator begins another one. */
export type Standstill = "off" | "no_key" | "another_key" | "restored" | "behind";

/** Whether the log goes on. */
export interface LogState {
  /** The log that goes on; null where none was begun. */
  log: LogRow | null;
  keys: readonly LogKeyRow[];
  /** How far this service has signed, as its own disk knows it. */
  signed: SignedSize | null;
  standstill: Standstill | null;
  /** Who signs the next checkpoint, the newest key first; none where it stands still. */
  signers: readonly Signer[];
}

/** Reads whether the log goes on, and who signs it. */
export async function readLogState({ config, now }: Pick<Deps, "config" | "now">, db: Db): Promise<LogState> {
  const log = await findCurrentLog(db);
  const keys = log === null ? [] : await listLogKeys(db, log.number);
  const signed = await readSignedSize(config);
  const given = await readSignerKeys(config);
  const signers = log === null ? firstSigners(config.siteUrl, given) : findSigners(log, keys, given, now());
  const standstill = findStandstill({ log, signed, hasKey: given.length > 0, canSign: signers.length > 0 });
  return { log, keys, signed, standstill, signers: standstill === null ? signers : [] };
}

/** A first log is signed by the newest key alone. */
function firstSigners(siteUrl: string, given: readonly SignerKey[]): Signer[] {
  return given.slice(0, 1).map(({ seed }) => openSigner(originOf(siteUrl, 1), seed));
}

function findSigners(
  log: LogRow,
  keys: readonly LogKeyRow[],
  given: readonly SignerKey[],
  nowMs: number,
): Signer[] {
  const known = new Set(keys.filter((key) => (key.retires_at ?? nowMs + 1) > nowMs).map(({ vkey }) => vkey));
  return given.map(({ seed }) => openSigner(log.origin, seed)).filter(({ vkey }) => known.has(vkey));
}

function findStandstill(facts: {
  log: LogRow | null;
  signed: SignedSize | null;
  hasKey: boolean;
  canSign: boolean;
}): Standstill | null {
  const { log, signed, hasKey, canSign } = facts;
  if (log === null && !hasKey && signed === null) return "off";
  if (log !== null && log.restored_at !== null) return "restored";
  if (isAhead(signed, log)) return "behind";
  if (!hasKey) return log === null ? "off" : "no_key";
  return canSign ? null : "another_key";
}

/** Whether more was signed than the database knows of; an empty log has one checkpoint only, whoever signs it. */
function isAhead(signed: SignedSize | null, log: LogRow | null): boolean {
  if (signed === null) return false;
  const [number, size] = [log?.number ?? 1, log?.size ?? 0];
  return signed.number > number || (signed.number === number && signed.size > size);
}

/** What each standstill says to operators, and how it ends. */
export const STANDSTILLS: Record<Standstill, { detail: string; mend: string | null }> = {
  off: { detail: "The log is off: there is no key.", mend: null },
  no_key: {
    detail: "The log stands still: its key is missing.",
    mend: "Put the key back (LOG_KEY, or keys/log.key in DATA_DIR), or begin another log: log reopen.",
  },
  another_key: {
    detail: "The log stands still: the key is not one of its keys.",
    mend: "Put the key back (LOG_KEY, or keys/log.key in DATA_DIR), or begin another log: log reopen.",
  },
  restored: {
    detail: "The log stands still: a backup was restored, and more may have been signed since it was made.",
    mend: "Begin another log: log reopen.",
  },
  behind: {
    detail: "The log stands still: this service has signed more entries than the database has.",
    mend: "Bring the newest database back, or begin another log: log reopen.",
  },
};
