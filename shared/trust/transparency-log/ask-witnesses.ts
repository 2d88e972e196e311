import { lockName } from "../../../sql/platform/locks.ts";
import {
  type AskedWitnessRow,
  beginRound,
  claimWitnesses,
  markQuorum,
  saveCosignature,
  saveWitnessFailure,
} from "../../../sql/trust/log-witnesses.ts";
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
/** Half of what a witness like ours lets an address ask in a minute. */
const BETWEEN_MS = 1_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5 * MINUTE_MS;
const MOST_ANSWER_BYTES = 65_536;

/**
 * Begins to ask each witness that has not signed the checkpoint of the round. A round is about one checkpoint, so that
 * those of a quorum sign the same one; newer checkpoints wait for its end, and then the newest of them goes next. Each is
 * asked in the background, so that a slow one holds up nobody else. Never throws: the sequencer of the log calls it again.
 */
export async function beginWitnesses(deps: Deps): Promise<void> {
  try {
    if (await deps.outboundNetwork.standsStill()) return;
    const nowMs = deps.now();
    const due = await deps.pool.transaction(async (tx) => {
      await lockName(tx, "witnesses");
      await beginRound(tx, { quorum: deps.config.logQuorum, nowMs });
      return await claimWitnesses(tx, { nowMs, untilMs: nowMs + CLAIM_MS });
    });
    for (const asked of due) deps.background.begin((signal) => askWitness(deps, asked, signal));
  } catch (err) {
    deps.log.error({ err }, "the witnesses of the log could not be asked");
  }
}

async function askWitness(deps: Deps, asked: AskedWitnessRow, signal: AbortSignal): Promise<void> {
  const { name, vkey, log_number: number, size } = asked;
  const nextMs = deps.now() + BETWEEN_MS;
  try {
    const line = await cosign(deps, asked, signal);
    await deps.pool.transaction(async (tx) => {
      // Two that sign at once have to see each other.
      await lockName(tx, "witnesses");
      await saveCosignature(tx, { name, vkey, number, size, line, nowMs: deps.now(), nextMs });
      if (deps.config.logQuorum > 0) await markQuorum(tx, { number, size, quorum: deps.config.logQuorum });
    });
  } catch (error) {
    await noteFailure(deps, asked, error);
  }
  // A round may have ended.
  if (!signal.aborted) await beginWitnesses(deps);
}

/** What came of a try, as a sentence of ours that operators read. */
class NoCosignature extends Error {
  override name = "NoCosignature";
}

async function noteFailure(
  deps: Deps,
  { name, vkey, failures }: AskedWitnessRow,
  error: unknown,
): Promise<void> {
  const isKnown = error instanceof NoCosignature || error instanceof OutboundError;
  deps.log[isKnown ? "warn" : "error"]({ witness: name, err: error }, "a witness did not cosign the log");
  const failure = isKnown ? error.message : "This service failed: its log has the reason.";
  const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures, 20));
  try {
    const nextMs = deps.now() + pauseMs;
    await deps.pool.transaction((tx) => saveWitnessFailure(tx, { name, vkey, failure, nextMs }));
  } catch (err) {
    // The claim ends by itself.
    deps.log.error({ witness: name, err }, "the failure of a witness could not be saved");
  }
}

/** The line of a witness below the checkpoint; where it knows another size than thought, the proof begins there. */
async function cosign(deps: Deps, asked: AskedWitnessRow, signal: AbortSignal): Promise<string> {
  let oldSize = asked.last_log === asked.log_number ? (asked.last_size ?? 0) : 0;
  for (let tried = 0; tried < TRIES; tried++) {
    const { status, body } = await submit(deps, asked, oldSize, signal);
    if (status === 200) return findLine(asked, body);
    if (status !== 409) throw new NoCosignature(`The witness answers ${status}.`);
    oldSize = readSize(body, asked);
  }
  throw new NoCosignature("The witness names another size each time.");
}

async function submit(
  deps: Deps,
  { url, log_number, size, note }: AskedWitnessRow,
  oldSize: number,
  signal: AbortSignal,
): Promise<{ status: number; body: string }> {
  const path = await hashSpans(deps.pool, log_number, planConsistency(oldSize, size), size);
  const { status, body } = await sendRequest(deps.outboundNetwork, {
    ...({ purpose: "witness", url: `${url}/add-checkpoint`, method: "POST" } as const),
    headers: { "content-type": "text/plain; charset=utf-8" },
    body: writeSubmission({ oldSize, path, note }),
    ...{ timeoutMs: TRY_MS, mostBytes: MOST_ANSWER_BYTES, signal },
  });
  return { status, body: body.toString("utf8") };
}

function readSize(body: string, { size }: AskedWitnessRow): number {
  const known = /^(?:0|[1-9]\d{0,15})\n$/.test(body) ? Number(body) : null;
  if (known === null) throw new NoCosignature("The witness answers 409 without the size that it knows.");
  if (known <= size) return known;
  throw new NoCosignature(`The witness knows ${known} entries of this log, which has ${size}.`);
}

function findLine({ note, vkey }: AskedWitnessRow, body: string): string {
  const key = readWitness(vkey);
  const text = readNote(note)?.text ?? "";
  const lines = body.split("\n").flatMap((line) => readNote(`${text}\n${line}\n`)?.signatures ?? []);
  const own = lines.find(({ name, id }) => name === key?.name && id.equals(key.id));
  if (key === null || own === undefined || !key.verify(text, own.signature)) {
    throw new NoCosignature("The witness answers what its key did not sign.");
  }
  return writeSignature(own, own.signature);
}
