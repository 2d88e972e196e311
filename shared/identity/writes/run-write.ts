import type { Tx } from "../../../sql/connection/pool.ts";
import type { AgentRow } from "../../../sql/identity/agents.ts";
import { type FieldErrors, refuseFaults } from "../../ground/errors.ts";
import { stringifyJson } from "../../ground/raw-json.ts";
import type { Deps } from "../../platform/deps.ts";
import { type Act, recordActs } from "../audit/record-act.ts";
import type { Ability } from "../credentials/abilities.ts";
import { refuseLeakedCredentials } from "../credentials/refuse-leaked-credentials.ts";
import {
  actorOf,
  type Caller,
  checkAbility,
  checkIfMatch,
  lockWriter,
  quoteVersion,
} from "./authenticate.ts";
import {
  type Answer,
  completeReplay,
  findAnswer,
  findOwnAnswer,
  fingerprintOf,
  isKeyKnown,
  type KeyedRequest,
  lockKeyedWriter,
  readIdempotencyKey,
  type SentPart,
  shortenAnswer,
  toKey,
  toNewKey,
} from "./idempotency.ts";

/** A write as its route passes it: only the agent is checked yet. */
export interface WriteRequest {
  method: string;
  /** The route's pattern, such as /creations/{creation}/publish. */
  route: string;
  params: Record<string, string>;
  /** Of its query: a write takes none. */
  faults: FieldErrors;
  body: unknown;
  idempotencyKey: string | undefined;
  /** How long the key holds, where that is not as long as every sent one. */
  keyHoldsMs?: number | undefined;
  ifMatch: string | undefined;
  /** What comes behind its members, and belongs to it as they do. */
  part?: SentPart;
  /** Whether the answer has ids, states and versions alone (`Prefer: return=minimal`). */
  isMinimal?: boolean;
}

/** The result of a write, for the answer and the audit log. */
export interface Written {
  status: 200 | 201 | 204;
  /** Absent with 204. */
  data?: unknown;
  /** Members that stand beside the data; null for none. */
  beside?: object | null;
  /** What the caller should know although the write was done; stands beside the data. */
  warnings?: readonly unknown[];
  lockVersion: number | null;
  /** By how much a versioned write raises the version; 1 where it is missing, 0 where nothing had to change. */
  raisedBy?: 0 | 1 | 2;
  location?: string;
  act: Act;
  /** Further acts of a write that does several in one. */
  moreActs?: readonly Act[];
}

/** The subject of a write: found before the fields are checked, checked again under lock. */
export interface Subject {
  id: string;
  /** Its name in errors: creation, profile. */
  what: string;
  lockVersion: number;
}

/** One kind of write. Its steps run in the order of contract section 4, for every noun. */
export interface WriteKind<Prepared, Found extends Subject | null> {
  /** Whether an Idempotency-Key is required, or a caller may leave it out. */
  keyed: "always" | "where_sent";
  /** The abilities that this body needs beside the route's. */
  abilitiesFor?(body: unknown): readonly Ability[];
  /** The id of the subject in a path, for a kind that removes it: its stored answer outlives it. */
  removedId?(params: Record<string, string>): string | null;
  /** Finds the resource or throws `not_found`; null where the write creates one. */
  find(deps: Deps, caller: Caller, params: Record<string, string>): Promise<Found>;
  /**
   * Whether If-Match is required; `perform` then changes its row by `updateVersioned`, which raises
   * lock_version.
   */
  versioned: boolean;
  /** Checks the fields, outside any lock; throws 422. */
  prepare(deps: Deps, caller: Caller, body: unknown, found: Found): Promise<Prepared>;
  /** Finds the resource again under lock, or null where nothing is versioned. */
  lock(tx: Tx, agent: AgentRow, found: Found): Promise<Found>;
  /** The members of the answer's data that tell where the resource stands, without its texts. */
  minimize(data: unknown): unknown;
  /** The resource of the answer as it is now, for the replay of a long answer; left out where answers are short. */
  read?(deps: Deps, caller: Caller, id: string): Promise<{ data: unknown; lockVersion: number } | null>;
  /** Completes the answer, replayed or not, with what is never stored, such as a secret. */
  complete?(deps: Deps, answer: Answer): Promise<Answer>;
  /** Does the work, in SQL only, since slonik may run it again. */
  perform(tx: Tx, deps: Deps, agent: AgentRow, prepared: Prepared, found: Found): Promise<Written>;
}

/**
 * Runs one write of an agent: checks If-Match and fields, then opens one transaction that locks the agent, looks up the
 * stored answer, repeats every check that could have changed, does the work, stores the answer and records the act.
 */
export async function runWrite<Prepared, Found extends Subject | null>(
  deps: Deps,
  caller: Caller,
  kind: WriteKind<Prepared, Found>,
  request: WriteRequest,
): Promise<Answer> {
  const first = await answerOnce(deps, caller, kind, request);
  const answer = await completeReplay(first, async (id) => {
    const now = (await kind.read?.(deps, caller, id)) ?? null;
    return now && { data: now.data, headers: { etag: quoteVersion(now.lockVersion) } };
  });
  return kind.complete === undefined ? answer : await kind.complete(deps, answer);
}

/** The answer as it is stored. */
async function answerOnce<Prepared, Found extends Subject | null>(
  deps: Deps,
  caller: Caller,
  kind: WriteKind<Prepared, Found>,
  request: WriteRequest,
): Promise<Answer> {
  for (const ability of kind.abilitiesFor?.(request.body) ?? []) checkAbility(caller.agent, ability);
  const removed = await findRemoval(deps, caller, kind, request);
  if (removed !== null) return removed;
  const found = await kind.find(deps, caller, request.params);
  const isKeyed = kind.keyed === "always" || request.idempotencyKey !== undefined;
  const keyed = isKeyed ? readKeyed(caller, request, found) : null;
  const ready = await prepareOrReplay(deps, caller, kind, request, { found, keyed });
  if (ready.replayed !== null) return ready.replayed;
  const { prepared } = ready;
  const perform = async (tx: Tx): Promise<Answer> => {
    const writer = await (keyed ? lockKeyedWriter(tx, deps, caller, keyed) : lockUnkeyed(tx, deps, caller));
    if (writer.replayed !== null) return writer.replayed;
    const { agent } = writer;
    const locked = await kind.lock(tx, agent, found);
    if (kind.versioned && locked) checkIfMatch(request.ifMatch, locked.what, locked.lockVersion);
    const written = await kind.perform(tx, deps, agent, prepared, locked);
    if (kind.versioned && locked) expectRaised(written, locked);
    const answer = toAnswer(written, request.isMinimal === true ? kind.minimize : null);
    const creationId = creationOf(written.act);
    const kept = kind.read === undefined ? answer : shortenAnswer(answer, creationId ?? agent.id);
    const key = keyed && toNewKey(deps, keyed, { answer: kept, creationId });
    const acts = [written.act, ...(written.moreActs ?? [])];
    await recordActs(tx, actorOf(caller), acts, { atMs: deps.now(), key });
    return answer;
  };
  const { writeSemaphore, pool } = deps;
  return await writeSemaphore({ key: caller.agent.id }, () => pool.transaction(perform));
}

/**
 * What the work needs. A stored answer comes before all that stands against its request by now, and is looked for where
 * something does; the transaction looks for it again, under the lock of the key, so that a first request asks once. A
 * part is read for it alone where the key is known.
 */
async function prepareOrReplay<Prepared, Found extends Subject | null>(
  deps: Deps,
  caller: Caller,
  kind: WriteKind<Prepared, Found>,
  request: WriteRequest,
  { found, keyed }: { found: Found; keyed: KeyedRequest | null },
): Promise<{ replayed: Answer } | { replayed: null; prepared: Prepared }> {
  const { part } = request;
  if (part !== undefined && keyed !== null && (await isKeyKnown(deps, keyed))) {
    await part.identify();
    const stored = await findAnswer(deps, deps.pool, keyed);
    if (stored?.answer) return { replayed: stored.answer };
  }
  try {
    if (kind.versioned && found) checkIfMatch(request.ifMatch, found.what, found.lockVersion);
    refuseFaults(request.faults);
    await refuseLeakedCredentials(deps, request.body);
    return { replayed: null, prepared: await kind.prepare(deps, caller, request.body, found) };
  } catch (error) {
    if (part?.identity === null) throw error;
    const stored = keyed && (await findAnswer(deps, deps.pool, keyed));
    if (stored?.answer) return { replayed: stored.answer };
    throw error;
  }
}

/** Tells a caller that its answer is the minimal one (RFC 7240). */
export const MINIMAL_APPLIED = { "preference-applied": "return=minimal" } as const;

/** The stored answer to a request that removed its subject, which nobody finds any more; null for any other. */
async function findRemoval<Prepared, Found extends Subject | null>(
  deps: Deps,
  caller: Caller,
  { removedId }: WriteKind<Prepared, Found>,
  { method, route, params, body, idempotencyKey, keyHoldsMs: holdsMs }: WriteRequest,
): Promise<Answer | null> {
  const id = removedId?.(params) ?? null;
  const key = id === null ? null : toKey(idempotencyKey);
  if (id === null || key === null) return null;
  const fingerprint = fingerprintOf(method, route, id, body);
  return await findOwnAnswer(deps, { agentId: caller.agent.id, key, fingerprint, holdsMs });
}

/** Throws where the version did not move as the write reports: a change without it would break If-Match. */
function expectRaised(written: Written, { what, lockVersion: before }: Subject): void {
  const { status, lockVersion, raisedBy = 1 } = written;
  const isRemoved = status === 204 && lockVersion === null;
  if (isRemoved || lockVersion === before + raisedBy) return;
  throw new Error(`a write moved the version of a ${what} from ${before} to ${lockVersion}`);
}

function readKeyed(caller: Caller, request: WriteRequest, found: Subject | null): KeyedRequest {
  const { method, route, body, part, keyHoldsMs: holdsMs } = request;
  const key = readIdempotencyKey(request.idempotencyKey);
  const identify = (sent: unknown) => fingerprintOf(method, route, found?.id ?? null, sent);
  const agentId = caller.agent.id;
  if (part === undefined) return { agentId, key, holdsMs, fingerprint: identify(body) };
  return {
    agentId,
    key,
    holdsMs,
    get fingerprint() {
      return identify([body, part.identity]);
    },
  };
}

async function lockUnkeyed(tx: Tx, deps: Deps, caller: Caller) {
  return { replayed: null, agent: await lockWriter(tx, deps, caller) };
}

/** The creation whose text an answer shows. */
function creationOf({ subjectKind, subjectId }: Act): string | null {
  return subjectKind === "creation" ? subjectId : null;
}

function toAnswer(written: Written, minimize: ((data: unknown) => unknown) | null): Answer {
  const headers: Record<string, string> = minimize === null ? {} : { ...MINIMAL_APPLIED };
  if (written.lockVersion !== null) headers.etag = quoteVersion(written.lockVersion);
  if (written.location !== undefined) headers.location = written.location;
  const data = minimize === null ? written.data : minimize(written.data);
  const { beside, warnings } = written;
  const body = { data, ...beside, ...(warnings !== undefined && { warnings }) };
  return { status: written.status, headers, body: written.status === 204 ? "" : stringifyJson(body) };
}
