import { randomBytes } from "node:crypto";
import { afterCommit } from "../../../sql/connection/after-commit.ts";
import type { Tx } from "../../../sql/connection/pool.ts";
import { insertEntries, insertNodes, readHashes } from "../../../sql/trust/log-entries.ts";
import {
  closeRecords,
  deleteWaiting,
  type LoggedRow,
  listWaiting,
  type NewKeyRecord,
  type NewRecord,
  saveKeyRecords,
  saveRecords,
  type WaitingKeysRow,
  type WaitingRow,
} from "../../../sql/trust/log-outbox.ts";
import { insertLog, insertLogKey, type LogRow, saveCheckpoint } from "../../../sql/trust/logs.ts";
import type { Deps } from "../../platform/deps.ts";
import { runSequencer } from "../../platform/outbox/run-sequencer.ts";
import { writeCheckpoint } from "../../text/transparency-log/checkpoint.ts";
import { readNote, type Signer } from "../../text/transparency-log/signed-note.ts";
import {
  type Edge,
  EMPTY_ROOT,
  edgeWidths,
  growTree,
  hashEdge,
  hashLeaf,
  splitHashes,
  TILE_WIDTH,
} from "../../text/transparency-log/tree.ts";
import { beginWitnesses } from "./ask-witnesses.ts";
import {
  commitTo,
  composeKeyChange,
  composeKeyStatement,
  composeLaterAct,
  composePublication,
  composeStatement,
} from "./compose-entry.ts";
import { originOf, saveSignedSize } from "./log-keys.ts";
import { type LogState, readLogState } from "./log-state.ts";

/** As many entries as a full tile has. */
const ENTRIES = TILE_WIDTH;
const NONCE_BYTES = 32;

type LogDeps = Pick<Deps, "config" | "now" | "log" | "metrics">;

/** Puts everything that waits into the log, and has its witnesses asked; returns the count. Where another process is at it, 0. */
export async function sweepLog(deps: Deps): Promise<number> {
  return await runSequencer(deps, { name: "log", step: (tx) => sequenceEntries(tx, deps) });
}

/**
 * Takes the next entries out of the outbox, in the caller's transaction, which holds the log's lock: entries, hashes and
 * the signed checkpoint are shown together or not at all. Returns their count.
 */
async function sequenceEntries(tx: Tx, deps: Deps): Promise<number> {
  const state = await readLogState(deps, tx);
  if (state.standstill !== null) return 0;
  const log = state.log ?? (await beginLog(tx, deps, { number: 1, signers: state.signers }));
  noteSize(deps, { number: log.number, size: log.size }, state);
  if (log.asked_size !== null) afterCommit(async () => await beginWitnesses(deps));
  const rows = await listWaiting(tx, ENTRIES);
  if (rows.length === 0) return await signAnew(tx, deps, log, state.signers);
  const composed = composeEntries(rows, log, deps.config.siteUrl);
  await appendEntries(tx, deps, log, state.signers, composed.entries);
  await saveRecords(tx, log.number, composed.records);
  await saveKeyRecords(tx, log.number, composed.keyRecords);
  await closeRecords(tx, composed.emptied);
  await deleteWaiting(
    tx,
    rows.map(({ id }) => id),
  );
  return rows.length;
}

/** Begins a log without entries; its key is the newest one. */
export async function beginLog(
  tx: Tx,
  { config, now }: Pick<Deps, "config" | "now">,
  { number, signers }: { number: number; signers: readonly Signer[] },
): Promise<LogRow> {
  const nowMs = now();
  const origin = originOf(config.siteUrl, number);
  const asked_size = await insertLog(tx, { number, origin, nowMs });
  for (const { vkey } of signers) await insertLogKey(tx, { number, vkey, nowMs, othersRetireMs: nowMs });
  const note = writeCheckpoint({ origin, size: 0, root: EMPTY_ROOT }, signers);
  await saveCheckpoint(tx, { number, size: 0, note, nowMs });
  return { number, origin, began_at: nowMs, restored_at: null, size: 0, note, asked_size };
}

/** Adds entries to a log, with the hashes that they complete, and signs the tree that has them. */
export async function appendEntries(
  tx: Tx,
  deps: LogDeps,
  { number, origin, size }: Pick<LogRow, "number" | "origin" | "size">,
  signers: readonly Signer[],
  texts: readonly string[],
): Promise<void> {
  const leaves = texts.map((text) => hashLeaf(Buffer.from(text)));
  const { nodes, root } = growTree(size, await readEdge(tx, number, size), leaves);
  const entries = texts.map((entry, at) => ({ index: size + at, entry, leafHash: leaves[at] ?? EMPTY_ROOT }));
  await insertEntries(tx, number, entries);
  await insertNodes(tx, number, nodes);
  const grown = { number, size: size + texts.length };
  const note = writeCheckpoint({ origin, size: grown.size, root }, signers);
  await saveCheckpoint(tx, { ...grown, note, nowMs: deps.now() });
  afterCommit(async () => await saveSize(deps, grown));
}

/** A checkpoint that other keys signed than are to sign now is signed again. */
async function signAnew(tx: Tx, deps: LogDeps, log: LogRow, signers: readonly Signer[]): Promise<number> {
  const ids = readNote(log.note)?.signatures.map(({ id }) => id.toString("hex")) ?? [];
  if (ids.join() === signers.map(({ id }) => id.toString("hex")).join()) return 0;
  const root = hashEdge(await readEdge(tx, log.number, log.size));
  const note = writeCheckpoint({ origin: log.origin, size: log.size, root }, signers);
  await saveCheckpoint(tx, { number: log.number, size: log.size, note, nowMs: deps.now() });
  return 0;
}

async function readEdge(tx: Tx, number: number, size: number): Promise<Edge> {
  const ranges = edgeWidths(size).map((width, level) => {
    const count = Math.floor(size / TILE_WIDTH ** level);
    return { level, first: count - width, width };
  });
  const rows = await readHashes(tx, number, ranges);
  return ranges.map(({ level, width }) => {
    const hashes = rows.find((row) => row.level === level)?.hashes;
    const edge = splitHashes(Buffer.from(hashes ?? []));
    if (edge.length !== width) throw new Error(`the log ${number} lacks hashes of level ${level}`);
    return edge;
  });
}

/** The entries of rows of the outbox, in their order, and what they change in records. */
function composeEntries(
  rows: readonly (WaitingRow | WaitingKeysRow)[],
  { number, size }: LogRow,
  siteUrl: string,
) {
  const entries: string[] = [];
  const keyRecords: NewKeyRecord[] = [];
  const records = new Map<string, NewRecord>();
  const emptied: string[] = [];
  // What is published in this very part is not in a row yet.
  const logged = new Map<string, LoggedRow>();
  rows.forEach((row, at) => {
    if (row.type === "keys") {
      const opening = open(composeKeyStatement(row, siteUrl));
      const { ended, removed } = row.change;
      entries.push(composeKeyChange(row, commitTo(opening.nonce, opening.statement)));
      keyRecords.push({ agentId: row.agent_id, index: size + at, ended, opening: removed ? null : opening });
      return;
    }
    const { creation_id: creationId, revision } = row;
    if (row.type !== "published" || revision === null) {
      const of = logged.get(revision?.id ?? creationId) ?? row.logged;
      entries.push(composeLaterAct(row, of, number));
      if (revision !== null) emptied.push(revision.id);
      return;
    }
    const opening = open(composeStatement(row, siteUrl));
    const place = { index: size + at, unlisted: row.unlisted === true };
    entries.push(composePublication(row, commitTo(opening.nonce, opening.statement)));
    const kept = {
      revisionId: revision.id,
      creationId,
      ...place,
      opening: revision.removed ? null : opening,
    };
    records.set(revision.id, kept);
    const now = { log_number: number, ...place, revision_number: revision.revision_number };
    logged.set(revision.id, now).set(creationId, now);
  });
  return { entries, records: [...records.values()], keyRecords, emptied };
}

const open = (statement: string) => ({ nonce: randomBytes(NONCE_BYTES), statement });

/** A process that was killed between a commit and the file of its size has the next one write it. */
function noteSize(deps: LogDeps, size: { number: number; size: number }, { signed }: LogState): void {
  if (signed?.number === size.number && signed.size === size.size) return;
  afterCommit(() => saveSize(deps, size));
}

async function saveSize(deps: LogDeps, size: { number: number; size: number }): Promise<void> {
  try {
    await saveSignedSize(deps.config, size);
  } catch (err) {
    deps.log.error({ err }, "how far the log is signed could not be saved");
  }
}
