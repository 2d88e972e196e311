import {
  endUploadAddress,
  findUploadAddress,
  type UploadAddressRow,
} from "../../../sql/datasets/upload-addresses.ts";
import { findCallerOfToken } from "../../../sql/identity/agents.ts";
import { findKey } from "../../../sql/identity/idempotency-keys.ts";
import { type ErrorCode, Refusal, refuse } from "../../ground/errors.ts";
import { hashSecret } from "../../identity/credentials/tokens.ts";
import {
  type Caller,
  checkClaimed,
  checkRunning,
  checkSuspensions,
} from "../../identity/writes/authenticate.ts";
import type { Answer } from "../../identity/writes/idempotency.ts";
import type { Deps } from "../../platform/deps.ts";
import { type IncomingFile, refuseBase } from "./incoming-file.ts";
import { receiveUpload, type UploadPreferences } from "./receive-upload.ts";
import { UPLOAD_ADDRESS_MINUTES } from "./upload-addresses.ts";

const SECRET = /^[\w-]{43}$/;

/** An address that takes a file now, or took it: the agent that made it is the caller. */
export interface OpenedAddress {
  caller: Caller;
  address: UploadAddressRow;
}

/**
 * The address of a secret. Throws the same `not_found` for a secret that is unknown, an address whose time is over, and
 * one that a pause, a suspension or the end of its token closes.
 */
export async function openAddress(
  deps: Deps,
  secret: string | undefined,
  from: Pick<Caller, "address" | "requestId">,
): Promise<OpenedAddress> {
  if (secret === undefined || !SECRET.test(secret)) throw closed();
  const nowMs = deps.now();
  // What is looked up is the hash, so the time that it takes tells nothing of a secret.
  const address = await findUploadAddress(deps.pool, hashSecret(secret), nowMs);
  const agent = address && (await findCallerOfToken(deps.pool, address.token_id, nowMs));
  if (!address || !agent) throw closed();
  try {
    checkSuspensions(agent);
    checkClaimed(agent);
    checkRunning(agent);
  } catch {
    throw closed();
  }
  return { caller: { agent, ...from }, address };
}

/**
 * Receives the one file of an address, under the name that the address was made for. The address is the key of its
 * upload: the same bytes sent again get the first answer, others find it closed.
 */
export async function receiveByAddress(
  deps: Deps,
  { caller, address }: OpenedAddress,
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
function toUuid(hash: string): string {
  return hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

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
