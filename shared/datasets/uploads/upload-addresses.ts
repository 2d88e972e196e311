import {
  countOpenUploadAddresses,
  endUploadAddress,
  findUploadAddress,
  insertUploadAddress,
  type UploadAddressRow,
} from "../../../sql/datasets/upload-addresses.ts";
import { findCaller } from "../../../sql/identity/agents.ts";
import { findKey } from "../../../sql/identity/idempotency-keys.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { type ErrorCode, Refusal, refuse, refuseField } from "../../ground/errors.ts";
import { spellUuid } from "../../ground/ids.ts";
import { MINUTE_MS, toIso } from "../../ground/times.ts";
import { deriveSecret } from "../../identity/credentials/key-files.ts";
import { hashSecret } from "../../identity/credentials/tokens.ts";
import {
  type Caller,
  checkClaimed,
  checkRunning,
  checkSuspensions,
} from "../../identity/writes/authenticate.ts";
import type { Answer } from "../../identity/writes/idempotency.ts";
import type { WriteKind } from "../../identity/writes/run-write.ts";
import type { Deps } from "../../platform/deps.ts";
import { limitsOfAgent } from "../../platform/limits-in-force.ts";
import { requireValue } from "../../requests/explain.ts";
import { readBody } from "../../requests/read-body.ts";
import { CreateUploadRequest } from "../../requests/small-requests.ts";
import type { Dialect } from "../../tables/dialects/dialect.ts";
import { readDialectValue } from "../../tables/dialects/read-dialect.ts";
import { quoteShell } from "../../text/snippets/data-file.ts";
import {
  type IncomingFile,
  readFilename,
  readFormat,
  readPacking,
  refuseBase,
  refuseDialectOf,
  takeDialect,
} from "./incoming-file.ts";
import { checkRoom, receiveUpload, type UploadPreferences } from "./receive-upload.ts";

/** How long an address takes a file. */
export const UPLOAD_ADDRESS_MINUTES = 15;
/** How many addresses of one agent may wait for a file. */
export const MOST_OPEN_UPLOADS = 20;

const KEY_NAME = "upload-addresses";

type Prepared = Omit<UploadAddressRow, "expires_at"> & {
  bytes: number | null;
  dialect: Dialect | "auto" | null;
};

/** POST /uploads: an address that takes one file without a token. */
export const createUpload: WriteKind<Prepared, null> = {
  keyed: "always",
  versioned: false,
  find: async () => null,
  lock: async () => null,
  minimize: (data) => data,
  async prepare(deps, { agent }, body) {
    const {
      filename: given,
      bytes = null,
      dialect: asked,
    } = requireValue(readBody(CreateUploadRequest, body));
    const filename = readFilename(given, "filename");
    const format = readFormat(readPacking(filename).stored, "filename");
    const dialect = asked == null ? null : takeDialect(readDialectValue(asked));
    if (dialect !== null) refuseDialectOf(format);
    const most = limitsOfAgent(deps, agent).fileBytes;
    if (bytes !== null && bytes > most) {
      throw refuseField("bytes", `A file has at most ${most} bytes; split it into smaller files.`);
    }
    const id = deps.newId();
    const secret_hash = hashSecret(await deriveSecret(deps, KEY_NAME, id));
    return { id, secret_hash, filename, bytes, dialect, token_id: agent.token_id };
  },
  async perform(tx, deps, agent, { bytes, dialect, ...address }) {
    const nowMs = deps.now();
    if (bytes !== null) checkRoom(deps, agent, bytes);
    if ((await countOpenUploadAddresses(tx, agent.id, nowMs)) >= MOST_OPEN_UPLOADS) {
      throw refuse(
        "quota_exhausted",
        `${MOST_OPEN_UPLOADS} of your upload addresses are open, the most at one time.`,
        `Upload to one that is open, or wait: each ends with its file, or after ${UPLOAD_ADDRESS_MINUTES} minutes.`,
      );
    }
    const expiresMs = nowMs + UPLOAD_ADDRESS_MINUTES * MINUTE_MS;
    const times = { created_at: nowMs, expires_at: expiresMs };
    await insertUploadAddress(tx, { ...address, agent_id: agent.id, ...times });
    const { id, filename } = address;
    const act = { action: "upload.create", subjectKind: "upload", subjectId: id, agentId: agent.id };
    return {
      status: 201,
      lockVersion: null,
      data: { id, filename, dialect, expires_at: toIso(expiresMs) },
      act,
    };
  },
  complete: revealAddress,
};

/** The answer as it is sent. The stored one has no secret: the address is made again from the row's id. */
async function revealAddress(deps: Deps, answer: Answer): Promise<Answer> {
  const { id, filename, dialect = null, expires_at } = JSON.parse(answer.body).data;
  const address = addressesOf(deps.config.siteUrl).upload(await deriveSecret(deps, KEY_NAME, id));
  const named = typeof dialect === "string" ? dialect : JSON.stringify(dialect);
  const upload_url = dialect === null ? address : `${address}?${new URLSearchParams({ dialect: named })}`;
  // -g keeps curl from reading braces and brackets of a name as a pattern.
  const curl = `curl -gsS -T ${quoteShell(filename)} ${quoteShell(upload_url)}`;
  const data = { upload_url, expires_at, curl };
  return { ...answer, headers: { ...answer.headers, location: upload_url }, body: JSON.stringify({ data }) };
}

const SECRET = /^[\w-]{43}$/;

/**
 * The address of a secret that takes a file now, or took it: the agent that made it is the caller. Throws the same
 * `not_found` for a secret that is unknown, an address whose time is over, and one that a pause, a suspension or the end
 * of its token closes.
 */
export async function openAddress(
  deps: Deps,
  secret: string | undefined,
  from: Pick<Caller, "address" | "requestId">,
) {
  if (secret === undefined || !SECRET.test(secret)) throw closed();
  const nowMs = deps.now();
  // What is looked up is the hash, so the time that it takes tells nothing of a secret.
  const address = await findUploadAddress(deps.pool, hashSecret(secret), nowMs);
  const agent = address && (await findCaller(deps.pool, { id: address.token_id }, nowMs));
  if (!address || !agent) throw closed();
  try {
    checkSuspensions(agent);
    checkClaimed(agent);
    checkRunning(agent);
  } catch {
    throw closed();
  }
  const caller: Caller = { agent, ...from };
  return { caller, address };
}

/**
 * Receives the one file of an address, under the name that the address was made for. The address is the key of its
 * upload: the same bytes sent again get the first answer, others find it closed.
 */
export async function receiveByAddress(
  deps: Deps,
  { caller, address }: Awaited<ReturnType<typeof openAddress>>,
  openFile: (mostBytes: number) => Promise<IncomingFile>,
  preferences: UploadPreferences,
): Promise<Answer> {
  const { id, secret_hash, filename } = address;
  const key = toUuid(secret_hash);
  const openNamed = async (mostBytes: number) => {
    const file = await openFile(mostBytes);
    // Its answer shows rows of the base, and whoever holds the address is not the agent.
    if (file.baseAssetId !== null)
      throw refuseBase("An address takes whole files. Append with POST /assets.");
    return { ...file, filename };
  };
  try {
    return await receiveUpload(deps, openNamed, {
      caller,
      key,
      async record(tx, assetId) {
        if (!(await endUploadAddress(tx, id, assetId))) throw closed();
      },
      ...preferences,
    });
  } catch (error) {
    const code = error instanceof Refusal ? error.code : null;
    if (code === "idempotency_in_progress") throw busy();
    if (code === "idempotency_mismatch") {
      throw (await isBeingInspected(deps, caller.agent.id, key)) ? busy() : closed();
    }
    throw code !== null && PUBLICATION_CHECKS.has(code) ? closed() : error;
  }
}

/** What the agent, its owner or its token may have become while the file arrived. */
const PUBLICATION_CHECKS: ReadonlySet<ErrorCode> = new Set([
  "unauthenticated",
  "owner_suspended",
  "agent_suspended",
  "agent_pending_claim",
  "agent_paused",
]);

/** Whether the file that the address took has no answer yet: it may still be refused. */
async function isBeingInspected(deps: Deps, agentId: string, key: string): Promise<boolean> {
  const stored = await findKey(deps.pool, agentId, key, deps.now() - deps.config.uploadWaitMs);
  return stored !== null && stored.status === null;
}

/** Part of a hash has the form of a key; nobody else's key is the same. */
const toUuid = (hash: string) => spellUuid(hash.slice(0, 32));

function closed(): Refusal {
  return refuse(
    "not_found",
    "There is no open upload at this address.",
    `An address takes one file, for ${UPLOAD_ADDRESS_MINUTES} minutes; make a new one with POST /uploads or the tool create_upload.`,
  );
}

function busy(): Refusal {
  return new Refusal("idempotency_in_progress", "A file for this address is still being processed.", {
    retryAfterSeconds: 1,
    hint: "Wait a second and send the file again.",
  });
}
