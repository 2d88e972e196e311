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
import type { TableVerdict } from "../../tables/dialects/judge-table.ts";
import { type AppendBase, findBase } from "./append-base.ts";
import { type IncomingFile, refuseFile } from "./incoming-file.ts";
import { orderFromFile } from "./inspect-upload.ts";
import { checkQuotas, inTurn, recordStored } from "./receive-upload.ts";
import {
  identifyUpload,
  readUploadName,
  type Stored,
  storeUpload,
  type UploadIdentity,
} from "./store-upload.ts";
import { type GoodVerdict, recordReadAs, toFound } from "./verdicts.ts";

/** New rows for a file of a work, as they came: in a file, or in the body. */
export interface SentRows extends SentPart {
  /** The member that refusals of the rows name. */
  field: "file" | "rows";
  /** Under which the file with the new rows is stored, and its canonical form; none until they are. */
  storedIds: string[];
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
    storedIds: [],
    async identify() {
      const name = await readUploadName(deps, part);
      const identify = () => identifyUpload(deps, part, { name, baseId: "", limit });
      this.identity = identityOfPart(await inTurn(deps, { caller }, name, identify));
    },
    open: async () => part,
  };
}

/** The rows of a body, whose text is read in a thread; nothing where it has no list of them. */
export function openSentRows(threads: Threads, body: string | null): SentRows {
  return {
    field: "rows",
    identity: body === null ? {} : null,
    storedIds: [],
    async identify() {
      if (body !== null)
        this.identity = { sha256: (await threads.readSentRows({ body, csv: null, asLines: false })).sha256 };
    },
    async open({ csv, row }) {
      if (body === null) throw new Error("rows that were not sent came to be read");
      const asLines = row.format === "jsonl";
      const { sha256, part, faults } = await threads.readSentRows({ body, csv, asLines });
      if (Object.keys(faults).length > 0) throw validationFailed(faults);
      this.identity = { sha256 };
      const bytes = Buffer.from(part);
      const [filename, declaredBytes] = [["rows", row.format].join("."), bytes.length];
      const file = {
        filename,
        baseAssetId: OF_A_WORK,
        bytes: pass(bytes),
        declaredBytes,
        wasCut: () => false,
      };
      return { ...file, dialect: null, isCanonical: true };
    },
  };
}

async function* pass(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** A file with new rows that was inspected, but has no row of its own yet. */
export interface Appended {
  stored: Stored;
  canonicalId: string;
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
  const canonicalId = deps.newId();
  sent.storedIds = [stored.id, canonicalId];
  sent.identity ??= identityOfPart(stored.identity);
  await checkQuotas(deps.pool, deps, caller.agent, stored);
  const verdict = await inspectInTime(
    deps,
    threads,
    { ...stored, canonicalId },
    { agentId: caller.agent.id, mostMs },
  );
  if (!verdict.ok) throw refuseFile(verdict.reason);
  if (verdict.rowsAdded === 0) throw refuseFile("The file has no rows, so there is nothing to append.");
  const { inspection, tables, hints } = toFound(deps, verdict);
  const whole = { id: stored.id, bytes: stored.bytes, content_sha256: stored.sha256 };
  const { readAs } = verdict;
  const canonical = readAs && { file_id: canonicalId, bytes: readAs.bytes, content_sha256: readAs.sha256 };
  const asset = { ...base.row, ...whole, canonical, dialect: null, inspection, tables, hints };
  return { stored, canonicalId, verdict, asset };
}

/** What makes two parts for the same work the same. */
function identityOfPart({ base_asset_id: _, ...part }: UploadIdentity) {
  return { ...part };
}

/** A list has some bytes more than the lines of its objects. */
const SPARE_BYTES = 1_024;
/** How soon a file that took too long may be sent again. */
const RETRY_AFTER_SECONDS = 30;

async function inspectInTime(
  deps: Deps,
  threads: Threads,
  { id, format, appended, bytes, canonicalId }: Stored & { canonicalId: string },
  { agentId, mostMs }: { agentId: string; mostMs: number },
): Promise<TableVerdict> {
  const requester = { key: agentId, signal: AbortSignal.timeout(mostMs) };
  const reading = { asked: null, canonicalId, mostBytes: 2 * bytes + SPARE_BYTES, seeksPlan: false };
  const inspect = () => threads.inspect({ key: id, format, partFrom: appended?.from, reading });
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
  { stored, canonicalId, verdict }: Appended,
): Promise<Act> {
  if (stored.appended !== null) await findBase(tx, deps, agent, stored.appended.baseId);
  await checkQuotas(tx, deps, agent, stored);
  await recordStored(tx, deps, agent, stored);
  await settleAssetReady(tx, stored.id, 1, toFound(deps, verdict));
  await recordReadAs(tx, { id: stored.id, agent_id: agent.id }, canonicalId, verdict.readAs);
  await orderFromFile(tx, deps, stored.id);
  return makeAct("asset", stored.id, "asset.upload", { agentId: agent.id });
}
