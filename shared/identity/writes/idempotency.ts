import { setTimeout as delay } from "node:timers/promises";
import type { Tx } from "../../../sql/connection/pool.ts";
import { type AgentRow, findAgentById, lockAgentWithKey } from "../../../sql/identity/agents.ts";
import {
  findKey,
  findKeyAndToken,
  type KeptAnswer,
  type KeyRow,
  MOST_KEPT_BYTES,
  type NewKey,
} from "../../../sql/identity/idempotency-keys.ts";
import { tryLockName } from "../../../sql/platform/locks.ts";
import { sha256, toCanonicalJson } from "../../ground/checksum.ts";
import { Refusal, refuse, refuseField } from "../../ground/errors.ts";
import { stringifyJson } from "../../ground/raw-json.ts";
import { HOUR_MS } from "../../ground/times.ts";
import { waitWithoutPlace } from "../../platform/concurrency/places.ts";
import type { Deps } from "../../platform/deps.ts";
import { type Caller, checkWriter, unauthenticated } from "./authenticate.ts";

/** An answer as it is sent and replayed: status, its headers, and the exact bytes. */
export interface Answer extends KeptAnswer {
  replayed?: boolean;
}

/** The form in which the answer of a write is kept: a long one as the id of its resource, which a replay reads again. */
export function shortenAnswer(answer: Answer, id: string): KeptAnswer {
  if (Buffer.byteLength(answer.body) <= MOST_KEPT_BYTES) return answer;
  const { data: _, ...beside } = JSON.parse(answer.body) as { data?: unknown };
  return { ...answer, body: JSON.stringify({ data: { id }, ...beside }), readsAgain: true };
}

/** A replayed answer; one that was long with its resource as it is now, or with the id alone where it is gone. */
export async function completeReplay(
  { readsAgain, ...answer }: Answer,
  read: (id: string) => Promise<{ data: unknown; headers: Record<string, string> } | null>,
): Promise<Answer> {
  if (readsAgain !== true) return answer;
  const kept = JSON.parse(answer.body) as { data: { id: string } };
  const { etag: _, ...headers } = answer.headers;
  const now = await read(kept.data.id);
  if (now === null) return { ...answer, headers, body: JSON.stringify({ data: { id: kept.data.id } }) };
  const body = stringifyJson({ ...kept, data: now.data });
  return { ...answer, headers: { ...headers, ...now.headers }, body };
}

/** A key with the fingerprint of its request. */
export interface KeyedRequest extends Pick<NewKey, "agentId" | "key" | "fingerprint"> {
  /** How long it holds, from its first use; as long as every sent key where left out. */
  holdsMs?: number | undefined;
}

/** Since when a key has to be stored to hold still. */
function sinceOf({ now, config }: Deps, { holdsMs }: Pick<KeyedRequest, "holdsMs">): number {
  return now() - (holdsMs ?? config.limits.idempotencyHours * HOUR_MS);
}

/** A part of a request that is read after its members, such as a file. */
export interface SentPart {
  /** What of it makes two requests the same; null until it was read. */
  identity: object | null;
  /** Reads it to its end for its identity alone. */
  identify(): Promise<void>;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Reads an Idempotency-Key header: a UUID in any case, with or without double quotes. */
export function readIdempotencyKey(header: string | undefined): string {
  if (header === undefined || header.trim() === "") {
    throw new Refusal("idempotency_key_required", "Send an Idempotency-Key header with a new UUID.", {
      errors: { idempotency_key: ["The Idempotency-Key header is missing."] },
      hint: "Make one UUID a request, and send the same one again when you retry that request.",
    });
  }
  const key = toKey(header);
  if (key === null) {
    throw refuseField("idempotency_key", "The Idempotency-Key header must be a UUID.");
  }
  return key;
}

/** The key in an Idempotency-Key header; null where it holds none. */
export function toKey(header: string | undefined): string | null {
  const key = header
    ?.trim()
    .replace(/^"(.*)"$/, "$1")
    .toLowerCase();
  return key !== undefined && UUID.test(key) ? key : null;
}

/**
 * The identity of a request: method, route, resource and the canonical form of the body. If-Match and token
 * are left out, so that a retry with an old version or after a rotation still gets its answer.
 */
export function fingerprintOf(
  method: string,
  route: string,
  resourceId: string | null,
  body: unknown,
): string {
  return sha256(canonicalOrPlain([method, route, resourceId, body ?? null]));
}

/**
 * Half a surrogate pair and 1e999 have no canonical form; their request fails its checks, so its key is never
 * stored.
 */
function canonicalOrPlain(request: unknown): string {
  try {
    return toCanonicalJson(request);
  } catch {
    return `not canonical: ${JSON.stringify(request)}`;
  }
}

/** What is stored for a used key: its answer, which an upload lacks while it waits for its verdict. */
export interface StoredKey {
  answer: Answer | null;
  assetId: string | null;
  createdMs: number;
}

/** Whether an agent used a key before, for whatever request. */
export async function isKeyKnown(deps: Deps, request: Omit<KeyedRequest, "fingerprint">): Promise<boolean> {
  return (await findKey(deps.pool, request.agentId, request.key, sinceOf(deps, request))) !== null;
}

/**
 * What is stored for a key, null for a free key; throws `idempotency_mismatch` for another request's key, and
 * `revision_content_removed` where the answer showed content that is gone.
 */
export async function findAnswer(
  deps: Deps,
  db: Tx | Deps["pool"],
  request: KeyedRequest,
): Promise<StoredKey | null> {
  const row = await findKey(db, request.agentId, request.key, sinceOf(deps, request));
  return row && readStored(row, request);
}

/** What a key's row stores for this request; throws as `findAnswer` does. */
export function readStored(row: KeyRow, request: KeyedRequest): StoredKey {
  if (row.fingerprint !== request.fingerprint) {
    throw refuse(
      "idempotency_mismatch",
      "This Idempotency-Key was used for a different request.",
      "Use a new UUID for a new request; repeat a request without changing it.",
    );
  }
  if (row.content_removed) {
    throw refuse(
      "revision_content_removed",
      "The answer to this request showed content that was removed since.",
      "The request was carried out, once. Read the creation for its present state.",
    );
  }
  return { answer: toAnswer(row), assetId: row.asset_id, createdMs: row.created_at };
}

/** The stored answer to this very request; null for a free key, and for the key of another request. */
export async function findOwnAnswer(deps: Deps, request: KeyedRequest): Promise<Answer | null> {
  const row = await findKey(deps.pool, request.agentId, request.key, sinceOf(deps, request));
  return row?.fingerprint === request.fingerprint ? toAnswer(row) : null;
}

function toAnswer(row: KeyRow): Answer | null {
  if (row.status === null || row.body === null) return null;
  const { status, headers, body, read_again: readsAgain } = row;
  return { status, headers: headers ?? {}, body, readsAgain, replayed: true };
}

/** Locks the key for this transaction, or throws `idempotency_in_progress` while another request holds it. */
export async function holdKey(tx: Tx, request: KeyedRequest): Promise<void> {
  if (!(await tryLockName(tx, `${request.agentId}:${request.key}`))) throw inProgress();
}

/** 409 with Retry-After: the first request with this key has not answered yet. */
export function inProgress(): Refusal {
  return new Refusal(
    "idempotency_in_progress",
    "A request with this Idempotency-Key is still being processed.",
    {
      retryAfterSeconds: 1,
      hint: "Wait a second and send the same request with the same key again.",
    },
  );
}

/** Pauses between looks for the answer of the request that holds a key: 3 seconds in all, where a turn takes 10 ms. */
const PAUSES_MS = [10, 20, 40, 80, 150, 300, 600, 900, 900];

/** Runs a request again for as long as another one holds its key, within a bound: it gets the answer of that one. */
export async function waitForAnswer<Result>(run: () => Promise<Result>): Promise<Result> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof Refusal && error.code === "idempotency_in_progress")) throw error;
      await waitWithoutPlace(() => delay(pauseMs));
    }
  }
  return await run();
}

interface Kept {
  answer: KeptAnswer | null;
  assetId?: string;
  creationId?: string | null;
}

/** The key with its answer, for a write that stores it by its last statement. */
export function toNewKey(deps: Deps, { agentId, key, fingerprint }: KeyedRequest, kept: Kept): NewKey {
  const { answer, assetId = null, creationId = null } = kept;
  return { agentId, key, fingerprint, answer, assetId, creationId, nowMs: deps.now() };
}

/**
 * Locks the key and the agent of a write, then reads key and token by a statement of its own, which sees what
 * committed while the locks were waited for. A stored answer comes before the checks, which it passed already.
 */
export async function lockKeyedWriter(
  tx: Tx,
  deps: Deps,
  { agent: caller }: Caller,
  keyed: KeyedRequest,
): Promise<{ replayed: Answer } | { replayed: null; agent: AgentRow }> {
  const agent = await lockAgentWithKey(tx, caller.id, keyed.key);
  if (agent === null) throw (await findAgentById(tx, caller.id)) === null ? unauthenticated() : inProgress();
  const nowMs = deps.now();
  const sinceMs = sinceOf(deps, keyed);
  const ids = { agentId: caller.id, key: keyed.key, tokenId: caller.token_id };
  const { key, isTokenValid } = await findKeyAndToken(tx, ids, { sinceMs, nowMs });
  const replayed = key && readStored(key, keyed).answer;
  if (replayed) return { replayed };
  if (agent.archived_at !== null || !isTokenValid) throw unauthenticated();
  checkWriter(agent);
  return { replayed: null, agent };
}
