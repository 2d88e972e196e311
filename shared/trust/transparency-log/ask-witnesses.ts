import { lockName } from "../../../sql/platform/locks.ts";
import {
  claimWitnesses,
  markQuorum,
  saveCosignature,
  saveWitnessFailure,
  type WitnessRow,
} from "../../../sql/trust/log-witnesses.ts";
import { findCurrentLog, type LogRow } from "../../../sql/trust/logs.ts";
import { MINUTE_MS } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { OutboundError } from "../../platform/outbound/outbound-error.ts";
import { sendRequest } from "../../platform/outbound/send-request.ts";
import { readWitness } from "../../text/transparency-log/cosignature.ts";
import { planConsistency } from "../../text/transparency-log/proofs.ts";
import { readNote, writeSignature } from "../../text/transparency-log/signed-note.ts";
import { writeSubmission } from "../../text/transparency-log/submission.ts";
import { hashSpans } from "./read-log.ts";

const TRY_MS = 10_000;
/** A witness may name another size than is known here, and meanwhile another process may have asked it. */
const TRIES = 3;
/** A claim ends this long after the last try must be over: then its process was killed. */
const CLAIM_MS = TRIES * TRY_MS + 10_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5 * MINUTE_MS;
const MOST_ANSWER_BYTES = 65_536;

/**
 * Begins to have the newest checkpoint cosigned by each witness that has not signed it, and returns how many are asked.
 * Each is asked in the background, so that a slow one holds up nobody else; newer checkpoints wait for its answer, and then
 * the newest of them goes next.
 */
export async function beginWitnesses(deps: Deps): Promise<number> {
  if (await deps.outboundNetwork.standsStill()) return 0;
  const nowMs = deps.now();
  const due = await deps.pool.transaction((tx) => claimWitnesses(tx, { nowMs, untilMs: nowMs + CLAIM_MS }));
  for (const witness of due) deps.background.begin((signal) => askWitness(deps, witness, signal));
  return due.length;
}

async function askWitness(deps: Deps, witness: WitnessRow, signal: AbortSignal): Promise<void> {
  const { name, vkey } = witness;
  try {
    const log = await findCurrentLog(deps.pool);
    if (log === null) return;
    const { number, size } = log;
    const line = await cosign(deps, witness, log, signal);
    await deps.pool.transaction(async (tx) => {
      // Two that sign at once have to see each other.
      await lockName(tx, "witnesses");
      await saveCosignature(tx, { name, vkey, number, size, line, nowMs: deps.now() });
      if (deps.config.logQuorum > 0) await markQuorum(tx, { number, size, quorum: deps.config.logQuorum });
    });
    if (!signal.aborted) await beginWitnesses(deps);
  } catch (error) {
    await noteFailure(deps, witness, error);
  }
}

/** What came of a try, as a sentence of ours that operators read. */
class NoCosignature extends Error {
  override name = "NoCosignature";
}

async function noteFailure(deps: Deps, { name, failures }: WitnessRow, error: unknown): Promise<void> {
  const isKnown = error instanceof NoCosignature || error instanceof OutboundError;
  deps.log[isKnown ? "warn" : "error"]({ witness: name, err: error }, "a witness did not cosign the log");
  const failure = isKnown ? error.message : "This service failed: its log has the reason.";
  const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures, 20));
  try {
    const nextMs = deps.now() + pauseMs;
    await deps.pool.transaction((tx) => saveWitnessFailure(tx, { name, failure, nextMs }));
  } catch (err) {
    // The claim ends by itself.
    deps.log.error({ witness: name, err }, "the failure of a witness could not be saved");
  }
}

/** The line of a witness below the newest checkpoint; where it knows another size than thought, the proof begins there. */
async function cosign(deps: Deps, witness: WitnessRow, log: LogRow, signal: AbortSignal): Promise<string> {
  let oldSize = witness.last_log === log.number ? (witness.last_size ?? 0) : 0;
  for (let tried = 0; tried < TRIES; tried++) {
    const { status, body } = await submit(deps, witness, { log, oldSize }, signal);
    if (status === 200) return findLine(log, witness, body);
    if (status !== 409) throw new NoCosignature(`The witness answers ${status}.`);
    oldSize = readSize(body, log);
  }
  throw new NoCosignature("The witness names another size each time.");
}

async function submit(
  deps: Deps,
  { url }: WitnessRow,
  { log, oldSize }: { log: LogRow; oldSize: number },
  signal: AbortSignal,
): Promise<{ status: number; body: string }> {
  const { number, size, note } = log;
  const path = await hashSpans(deps.pool, number, planConsistency(oldSize, size), size);
  const { status, body } = await sendRequest(deps.outboundNetwork, {
    ...({ purpose: "witness", url: `${url}/add-checkpoint`, method: "POST" } as const),
    headers: { "content-type": "text/plain; charset=utf-8" },
    body: writeSubmission({ oldSize, path, note }),
    ...{ timeoutMs: TRY_MS, mostBytes: MOST_ANSWER_BYTES, signal },
  });
  return { status, body: body.toString("utf8") };
}

function readSize(body: string, { size }: LogRow): number {
  const known = /^(?:0|[1-9]\d{0,15})\n$/.test(body) ? Number(body) : null;
  if (known === null) throw new NoCosignature("The witness answers 409 without the size that it knows.");
  if (known <= size) return known;
  throw new NoCosignature(`The witness knows ${known} entries of this log, which has ${size}.`);
}

function findLine({ note }: LogRow, { vkey }: WitnessRow, body: string): string {
  const key = readWitness(vkey);
  const text = readNote(note)?.text ?? "";
  const lines = body.split("\n").flatMap((line) => readNote(`${text}\n${line}\n`)?.signatures ?? []);
  const own = lines.find(({ name, id }) => name === key?.name && id.equals(key.id));
  if (key === null || own === undefined || !key.verify(text, own.signature)) {
    throw new NoCosignature("The witness answers what its key did not sign.");
  }
  return writeSignature(own, own.signature);
}
