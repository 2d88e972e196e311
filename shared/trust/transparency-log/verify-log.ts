import { toCanonicalJson } from "../../ground/checksum.ts";
import { type Checkpoint, readTlogProof, verifyCheckpoint } from "../../text/transparency-log/checkpoint.ts";
import { readWitness } from "../../text/transparency-log/cosignature.ts";
import {
  hashSpan,
  planConsistency,
  provesConsistency,
  rootOfInclusion,
} from "../../text/transparency-log/proofs.ts";
import {
  publicKeyOf,
  readVerifier,
  type Verifier,
  verifyNote,
} from "../../text/transparency-log/signed-note.ts";
import {
  type Edge,
  EMPTY_ROOT,
  growTree,
  hashLeaf,
  readBundle,
  TILE_WIDTH,
} from "../../text/transparency-log/tree.ts";
import { commitTo } from "./compose-entry.ts";
import { LogUnreadable, openRemoteLog, type RemoteLog } from "./fetch-log.ts";

/** What is held against a log, beside its newest checkpoint. */
export interface VerifyWish {
  /** The verifier keys that are believed; none: those that the log names itself. */
  vkeys: readonly string[];
  /** A checkpoint that was saved earlier. */
  checkpoint: string | null;
  /** A proof that was saved. */
  proof: string | null;
  /** The keys of witnesses that are believed, and how many of these have to have signed the checkpoint. */
  witnessed?: { vkeys: readonly string[]; quorum: number };
  /** Whether every entry is read, and not the edge of the tree alone. */
  entries: boolean;
}

/** What a check of a log found: each line is a fact that was proven, or a fault. */
export interface Verdict {
  log: string;
  origin: string | null;
  size: number | null;
  vkeys: readonly string[];
  /** The names of the witnesses that signed the checkpoint: that of the proof, where one is given, else the newest. */
  witnesses: readonly string[];
  quorum: number;
  proven: string[];
  faults: string[];
  /** The checkpoint, to be kept for the next check; null where it is not proven. */
  checkpoint: string | null;
}

/**
 * Checks the log at an address such as https://example.org/log: signature, tree, that it goes on from an earlier
 * checkpoint, and that a proof holds.
 */
export async function verifyLog(root: string, wish: VerifyWish): Promise<Verdict> {
  const remote = openRemoteLog(root);
  const verdict: Verdict = {
    ...{ log: root, origin: null, size: null, vkeys: wish.vkeys },
    ...{ witnesses: [], quorum: wish.witnessed?.quorum ?? 0 },
    ...{ proven: [], faults: [], checkpoint: null },
  };
  try {
    await verifyAll(remote, wish, verdict);
  } catch (error) {
    if (!(error instanceof LogUnreadable)) throw error;
    verdict.faults.push(error.message);
  }
  return verdict;
}

async function verifyAll(remote: RemoteLog, wish: VerifyWish, verdict: Verdict): Promise<void> {
  if (wish.vkeys.length === 0) verdict.vkeys = await remote.vkeys();
  const verifiers = verdict.vkeys.flatMap((vkey) => readVerifier(vkey) ?? []);
  if (verifiers.length < verdict.vkeys.length) verdict.faults.push("A verifier key cannot be read.");
  const note = await remote.checkpoint();
  const head = verifyCheckpoint(note, verifiers);
  if (head === null) {
    verdict.faults.push("The checkpoint is not one that these keys signed for their log.");
    return;
  }
  Object.assign(verdict, { origin: head.origin, size: head.size });
  verdict.proven.push(`The checkpoint of ${head.size} entries is signed.`);
  if (!(await hasTree(remote, head))) {
    verdict.faults.push("The tiles do not have the root of the checkpoint.");
    return;
  }
  verdict.proven.push("The tiles have the root of the checkpoint.");
  verifyWitnesses(verdict, wish, note);
  verdict.checkpoint = note;
  if (wish.entries) tell(verdict, await hasEntries(remote, head), "Every entry is in the tree.");
  if (wish.checkpoint !== null) await verifyEarlier(remote, { head, verifiers, verdict }, wish.checkpoint);
  if (wish.proof !== null) await verifyProofFile(remote, { head, verifiers, verdict }, wish.proof);
}

/** The witnesses that signed the checkpoint of the proof, or the newest one. */
function verifyWitnesses(verdict: Verdict, { witnessed, proof }: VerifyWish, newest: string): void {
  if (witnessed === undefined || witnessed.vkeys.length === 0) return;
  const { vkeys, quorum } = witnessed;
  const keys = vkeys.flatMap((vkey) => readWitness(vkey) ?? []);
  if (keys.length < vkeys.length) verdict.faults.push("A key of a witness cannot be read.");
  if (new Set(vkeys.map(publicKeyOf)).size < vkeys.length)
    verdict.faults.push("A key of a witness is named twice.");
  const note = proof === null ? newest : (readTlogProof(proof)?.checkpoint ?? "");
  const signed = keys.filter((key) => verifyNote(note, [key]) !== null);
  verdict.witnesses = [...new Set(signed.map(({ name }) => name))];
  tell(verdict, verdict.witnesses.length >= quorum, `${quorum} of the witnesses signed the checkpoint.`);
}

interface Known {
  head: Checkpoint;
  verifiers: readonly Verifier[];
  verdict: Verdict;
}

function tell({ proven, faults }: Verdict, holds: boolean, fact: string): void {
  if (holds) proven.push(fact);
  else faults.push(`This does not hold: ${fact}`);
}

async function hasTree(remote: RemoteLog, { size, root }: Checkpoint): Promise<boolean> {
  if (size === 0) return root.equals(EMPTY_ROOT);
  const whole = { from: 0, to: size };
  return hashSpan(whole, await remote.tilesFor([whole], size)).equals(root);
}

async function hasEntries(remote: RemoteLog, { size, root }: Checkpoint): Promise<boolean> {
  let edge: Edge = [];
  let found: Buffer = EMPTY_ROOT;
  for (let tile = 0; tile * TILE_WIDTH < size; tile++) {
    const from = tile * TILE_WIDTH;
    const width = Math.min(TILE_WIDTH, size - from);
    const entries = readBundle(await remote.entries(tile, width));
    if (entries?.length !== width) return false;
    const grown = growTree(from, edge, entries.map(hashLeaf));
    edge = grown.edge;
    found = grown.root;
  }
  return found.equals(root);
}

async function verifyEarlier(remote: RemoteLog, known: Known, note: string): Promise<void> {
  const { head, verifiers, verdict } = known;
  const earlier = verifyCheckpoint(note, verifiers);
  if (earlier === null) {
    verdict.faults.push("The earlier checkpoint is not one that these keys signed for their log.");
    return;
  }
  const fact = `The log goes on from the earlier checkpoint of ${earlier.size} entries.`;
  tell(verdict, await goesOn(remote, earlier, head), fact);
}

async function goesOn(remote: RemoteLog, earlier: Checkpoint, head: Checkpoint): Promise<boolean> {
  if (earlier.size > head.size || earlier.origin !== head.origin) return false;
  const spans = planConsistency(earlier.size, head.size);
  const tiles = await remote.tilesFor(spans, head.size);
  const path = spans.map((span) => hashSpan(span, tiles));
  return provesConsistency(earlier, head, path);
}

async function verifyProofFile(remote: RemoteLog, known: Known, text: string): Promise<void> {
  const { head, verifiers, verdict } = known;
  const proof = readTlogProof(text);
  const signed = proof && verifyCheckpoint(proof.checkpoint, verifiers);
  if (proof === null || signed === null) {
    verdict.faults.push(
      "The proof is none, or its checkpoint is not one that these keys signed for their log.",
    );
    return;
  }
  const opened = proof.extra === null ? null : readExtra(proof.extra);
  const entry = opened?.entry ?? (await findEntry(remote, proof.index, head));
  const found = entry && rootOfInclusion({ ...proof, size: signed.size, leaf: hashLeaf(entry) }, proof.path);
  tell(verdict, found?.equals(signed.root) === true, `The entry ${proof.index} is in the log.`);
  tell(verdict, await goesOn(remote, signed, head), "The log goes on from the checkpoint of the proof.");
  if (proof.extra !== null)
    tell(verdict, opened?.isCommitted === true, "The entry commits to the statement.");
}

async function findEntry(remote: RemoteLog, index: number, { size }: Checkpoint): Promise<Buffer | null> {
  if (index >= size) return null;
  const tile = Math.floor(index / TILE_WIDTH);
  const width = Math.min(TILE_WIDTH, size - tile * TILE_WIDTH);
  return readBundle(await remote.entries(tile, width))?.[index - tile * TILE_WIDTH] ?? null;
}

/** The entry that a proof brings along, and whether its commitment is that of the statement; null for anything else. */
function readExtra(extra: Buffer): { entry: Buffer; isCommitted: boolean } | null {
  try {
    const { entry, nonce, statement } = JSON.parse(extra.toString());
    const commitment = commitTo(Buffer.from(nonce, "base64"), toCanonicalJson(statement));
    return { entry: Buffer.from(toCanonicalJson(entry)), isCommitted: entry.commitment === commitment };
  } catch {
    return null;
  }
}
