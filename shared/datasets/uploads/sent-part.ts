import type { Tx } from "../../../sql/connection/pool.ts";
import { TimeoutError, withTimeout } from "../../../sql/connection/with-timeout.ts";
import { type AssetRow, settleAssetReady } from "../../../sql/datasets/assets.ts";
import type { AgentRow } from "../../../sql/identity/agents.ts";
import { Refusal, validationFailed } from "../../ground/errors.ts";
import { type Act, makeAct } from "../../identity/audit/record-act.ts";
import type { Caller } from "../../identity/writes/authenticate.ts";
import type { SentPart } from "../../identity/writes/idempotency.ts";
import { waitWithoutPlace } from "../../platform/concurrency/places.ts";
import type { Deps } from "../../platform/deps.ts";
import { limitsOfAgent } from "../../platform/limits-in-force.ts";
import type { Threads } from "../../platform/threads/open.ts";
import type { Verdict } from "../../tables/inspection/verdict.ts";
import { type AppendBase, findBase } from "./append-base.ts";
import { type IncomingFile, refuseFile } from "./incoming-file.ts";
import { orderFromFile } from "./inspect-upload.ts";
import { checkQuotas, inTurn, recordStored } from "./receive-upload.ts";
import { identifyUpload, readUploadName, type Stored, storeUpload } from "./store-upload.ts";
import { type GoodVerdict, toFound } from "./verdicts.ts";

/** New rows for a file of a work, as they came: in a file, or in the body. */
export interface SentRows extends SentPart {
  /** The member that refusals of the rows name. */
  field: "file" | "rows";
  /** Under which the file with the new rows is stored; null until it is. */
  storedId: string | null;
  /** The rows as a file that follows a base. Throws 422 on each row that cannot follow it. */
  open(base: AppendBase): Promise<IncomingFile>;
}

/** No base is named, but the refusals of the rows are those of a part. */
const OF_A_WORK = "";

/** The rows of a file in a form. */
export function openSentFile(deps: Deps, caller: Caller, file: IncomingFile): SentRows {
  const limit = limitsOfAgent(deps, caller.agent).fileBytes;
  const part = { ...file, baseAssetId: OF_A_WORK };
  return {
    field: "file",
    identity: null,
    storedId: null,
    async identify() {
      const name = await readUploadName(deps, part);
      const identify = () => identifyUpload(deps, part, { name, baseId: "", limit });
      const { sha256, filename } = await inTurn(deps, { caller }, name, identify);
      this.identity = { sha256, filename };
    },
    open: async () => part,
  };
}

/** The rows of a body, whose text is read in a thread; nothing where it has no list of them. */
export function openSentRows(threads: Threads, body: string | null): SentRows {
  return {
    field: "rows",
    identity: body === null ? {} : null,
    storedId: null,
    async identify() {
      if (body !== null) this.identity = { sha256: (await threads.readSentRows({ body, csv: null })).sha256 };
    },
    async open({ csv, row }) {
      if (body === null) throw new Error("rows that were not sent came to be read");
      const { sha256, part, faults } = await threads.readSentRows({ body, csv });
      if (Object.keys(faults).length > 0) throw validationFailed(faults);
      this.identity = { sha256 };
      const bytes = Buffer.from(part);
      const [filename, declaredBytes] = [`rows.${row.format}`, bytes.length];
      return { filename, baseAssetId: OF_A_WORK, bytes: pass(bytes), declaredBytes, wasCut: () => false };
    },
  };
}

async function* pass(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** A file with new rows that was inspected, but has no row of its own yet. */
export interface Appended {
  stored: Stored;
  verdict: GoodVerdict;
  /** Its row as it will be. */
  asset: AssetRow;
}

/**
 * Stores a base with the rows that were sent, and inspects the whole within `mostMs`; no row of it is written. Throws what an
 * upload of the rows would be refused with, and 503 where its inspection takes longer.
 */
export async function storeAppended(
  deps: Deps,
  threads: Threads,
  sent: SentRows,
  { caller, base, mostMs }: { caller: Caller; base: AppendBase; mostMs: number },
): Promise<Appended> {
  const limit = limitsOfAgent(deps, caller.agent).fileBytes;
  const file = await sent.open(base);
  const name = await readUploadName(deps, file);
  const { format } = base.row;
  if (name.format !== format)
    throw refuseFile(`The rows are to follow a .${format} file. Send a .${format} file.`);
  const stored = await inTurn(deps, { caller }, name, () => storeUpload(deps, file, { name, base, limit }));
  sent.storedId = stored.id;
  const { sha256, filename } = stored.identity;
  sent.identity ??= { sha256, filename };
  await checkQuotas(deps.pool, deps, caller.agent, stored);
  const verdict = await inspectInTime(deps, threads, stored, { agentId: caller.agent.id, mostMs });
  if (!verdict.ok) throw refuseFile(verdict.reason);
  const { inspection, tables, hints } = toFound(deps, verdict);
  const whole = { id: stored.id, bytes: stored.bytes, content_sha256: stored.sha256 };
  return { stored, verdict, asset: { ...base.row, ...whole, inspection, tables, hints } };
}

/** How soon a file that took too long may be sent again. */
const RETRY_AFTER_SECONDS = 30;

async function inspectInTime(
  deps: Deps,
  threads: Threads,
  { id, format, appended }: Stored,
  { agentId, mostMs }: { agentId: string; mostMs: number },
): Promise<Verdict> {
  const requester = { key: agentId, signal: AbortSignal.timeout(mostMs) };
  const inspect = () => threads.inspect(id, format, undefined, appended?.from);
  try {
    return await waitWithoutPlace(() => withTimeout(deps.inspectors(requester, inspect), mostMs));
  } catch (error) {
    const isLate = error instanceof TimeoutError || (error instanceof Refusal && error.status === 503);
    if (!isLate) throw error;
    throw new Refusal("http_error", "The rows were not inspected in time, and nothing was saved.", {
      status: 503,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      hint: "Send the same call again. A large file takes two steps: POST /assets with base_asset_id, and once that file is ready PATCH the creation with changes.files.",
    });
  }
}

/** Records a file with new rows as one that is ready, in the transaction that attaches it. */
export async function recordAppended(
  tx: Tx,
  deps: Deps,
  agent: AgentRow,
  { stored, verdict }: Appended,
): Promise<Act> {
  if (stored.appended !== null) await findBase(tx, deps, agent, stored.appended.baseId);
  await checkQuotas(tx, deps, agent, stored);
  await recordStored(tx, deps, agent, stored);
  await settleAssetReady(tx, stored.id, 1, toFound(deps, verdict));
  await orderFromFile(tx, deps, stored.id);
  return makeAct("asset", stored.id, "asset.upload", { agentId: agent.id });
}
