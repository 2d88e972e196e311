import type { Tx } from "../../../sql/connection/pool.ts";
import {
  findWitnessedLogByHash,
  lockWitnessedLog,
  saveCosigned,
  type WitnessedLogRow,
} from "../../../sql/trust/witnessed-logs.ts";
import { httpError, notFound } from "../../ground/errors.ts";
import type { Config } from "../../platform/config.ts";
import type { Deps } from "../../platform/deps.ts";
import { type Cosigner, openCosigner } from "../../text/transparency-log/cosignature.ts";
import { provesConsistency } from "../../text/transparency-log/proofs.ts";
import {
  readNote,
  readVerifier,
  verifyNote,
  writeSignature,
} from "../../text/transparency-log/signed-note.ts";
import { readSubmission } from "../../text/transparency-log/submission.ts";
import { EMPTY_ROOT } from "../../text/transparency-log/tree.ts";
import { readWitnessKeys, witnessNameOf } from "../transparency-log/log-keys.ts";
import { isForgotten, isSaved, readSizes, saveCosignedSize } from "./cosigned-sizes.ts";

/** As long as the column of the table. */
const MOST_KEPT = 65_536;

type Submitted = NonNullable<ReturnType<typeof readSubmission>>;

/** The line of this site below a checkpoint, or the size of the tree that the proof has to begin with. */
export type Cosigned = { line: string } | { size: number };

/**
 * Cosigns a checkpoint of a known log that goes on from the one before (c2sp.org/tlog-witness, add-checkpoint). The answer
 * stands in the database and on the disk before it is given. Throws 400, 404, 403, 503, 422 and 413, in this order:
 * 503 comes before the size of the tree before is told.
 */
export async function cosignCheckpoint(deps: Deps, body: string): Promise<Cosigned> {
  const submitted = readSubmission(body);
  if (submitted === null) throw httpError(400, "This is no checkpoint with a proof from a smaller tree.");
  const { origin } = submitted.checkpoint;
  const cosigned = await deps.pool.transaction(async (tx) => await cosign(tx, deps, submitted));
  if ("line" in cosigned) await saveCosignedSize(deps, origin);
  return cosigned;
}

async function cosign(tx: Tx, deps: Deps, submitted: Submitted): Promise<Cosigned> {
  const { checkpoint, text, oldSize, note } = submitted;
  const log = await lockWitnessedLog(tx, checkpoint.origin);
  if (log === null || log.removed_at !== null) throw notFound("log that this site is a witness of");
  const known = log.keys.flatMap((vkey) => readVerifier(vkey) ?? []);
  if (verifyNote(note, known) === null)
    throw httpError(403, "No known key of this log signed the checkpoint.");
  const cosigner = await findCosigner(deps.config, log);
  if (cosigner === null) throw standsStill();
  if (oldSize !== log.size) return { size: log.size };
  const fault = findFault(log, submitted);
  if (fault !== null) throw httpError(422, fault);
  const nowMs = deps.now();
  const line = cosigner.cosign(text, Math.floor(nowMs / 1000));
  const lines = (readNote(note)?.signatures ?? [])
    .filter(({ name, id }) => known.some((key) => key.name === name && key.id.equals(id)))
    .map((signature) => writeSignature(signature, signature.signature));
  const kept = `${text}\n${lines.join("")}${line}`;
  if (kept.length > MOST_KEPT)
    throw httpError(413, "The checkpoint is too long to be kept with the line of this site.");
  await saveCosigned(tx, { ...checkpoint, note: kept, nowMs });
  return { line };
}

const standsStill = () =>
  httpError(503, "This witness stands still for the log, until its operator begins anew.");

/** The key that cosigns a locked log; null where it is not there, and where more was cosigned than the database knows of. */
export async function findCosigner(config: Config, log: WitnessedLogRow): Promise<Cosigner | null> {
  if (log.restored_at !== null || isForgotten(await readSizes(config), log)) return null;
  const keys = await readWitnessKeys(config);
  const name = witnessNameOf(config.siteUrl);
  return keys.map(({ seed }) => openCosigner(name, seed)).find(({ vkey }) => vkey === log.vkey) ?? null;
}

/** Why a checkpoint does not go on from what was cosigned last; null where it does. */
function findFault({ size, root }: WitnessedLogRow, { checkpoint, path }: Submitted): string | null {
  if (checkpoint.size === 0 && !checkpoint.root.equals(EMPTY_ROOT)) {
    return "The root of a tree without entries is another one.";
  }
  const before = { size, root: root === null ? EMPTY_ROOT : Buffer.from(root) };
  return provesConsistency(before, checkpoint, path) ? null : "The tree does not go on from the one before.";
}

/**
 * The checkpoint of a log that this site cosigned last, by the hash of its origin; throws 404 where it cosigned none, and 503
 * where it knows no more whether it was the last.
 */
export async function readCosigned(deps: Deps, hash: string): Promise<string> {
  // Before the row, which may go on meanwhile.
  const sizes = await readSizes(deps.config);
  const log = /^[0-9a-f]{64}$/.test(hash) ? await findWitnessedLogByHash(deps.pool, hash) : null;
  if (log?.note == null) throw notFound("log that this site cosigned");
  if (log.restored_at !== null || isForgotten(sizes, log)) throw standsStill();
  // Its process may have been killed before the file had it.
  if (!isSaved(sizes, log)) await saveCosignedSize(deps, log.origin);
  return log.note;
}
