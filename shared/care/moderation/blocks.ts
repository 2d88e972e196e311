import {
  type BlockKind,
  type BlockRow,
  deleteBlock,
  listBlockEntries,
  listBlockedValues,
  saveBlock,
} from "../../../sql/care/blocks.ts";
import { notFound, refuse, validationFailed } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import { askWhichWasMeant } from "../../ground/nearest-name.ts";
import { DAY_MS, toIso, toIsoOrNull } from "../../ground/times.ts";
import { type Act, type Actor, recordAct } from "../../identity/audit/record-act.ts";
import type { Deps } from "../../platform/deps.ts";
import { type BlockTarget, type BlockWish, readBlockTarget } from "./block-target.ts";
import { isInNetwork } from "./blocked-networks.ts";
import { readReason } from "./reason.ts";

/** Why something is blocked, and until when. */
interface BlockTerms {
  reason: string | null;
  /** Null: until somebody lifts the block. */
  untilMs: number | null;
  /** The address of the person who blocks, who is not to shut themselves out. */
  from?: string;
}

const WORDS: Record<BlockKind, string> = {
  email_domain: "e-mail domain",
  email: "e-mail address",
  network: "network",
};
const OFFERED = 1000;
const LISTED = 50;

/** Blocks an e-mail domain, an e-mail address or a network, or changes reason and end of such a block; throws 422. */
export async function addBlock(deps: Deps, actor: Actor, wish: BlockWish, terms: BlockTerms) {
  const target = await readBlockTarget(deps, wish);
  const { from, untilMs } = terms;
  if (from !== undefined && target.kind === "network" && isInNetwork(from, target.value)) throw refuseOwn();
  const reason = terms.reason === null ? null : readReason(terms.reason);
  const nowMs = deps.now();
  if (untilMs !== null && untilMs <= nowMs) throw refuseEnd(nowMs);
  const block = { ...target, reason, untilMs };
  const id = await deps.pool.transaction(async (tx) => {
    const saved = await saveBlock(tx, { id: deps.newId(), ...block, nowMs });
    await recordAct(tx, actor, actOnBlock({ id: saved, ...target }, "block.add"), nowMs);
    return saved;
  });
  return { id, ...target, reason, until_at: toIsoOrNull(untilMs) };
}

/** Lifts a block; throws `not_found` with the nearest ones. */
export async function liftBlock(deps: Deps, actor: Actor, wish: BlockWish) {
  const target = await readBlockTarget(deps, wish);
  const lifted = await lift(deps, actor, target);
  if (lifted !== null) return { ...lifted, status: "lifted" };
  const { kind, value } = target;
  const meant = askWhichWasMeant(value, await listBlockedValues(deps.pool, kind, OFFERED));
  throw refuse("not_found", `There is no block of the ${WORDS[kind]} ${value}.${meant}`);
}

/** Lifts the block of an id; throws `not_found`. */
export async function liftBlockOfId(deps: Deps, actor: Actor, id: string | undefined): Promise<void> {
  const ulid = toUlid(id);
  if (ulid === null || (await lift(deps, actor, { id: ulid })) === null) throw notFound("block");
}

async function lift(
  deps: Deps,
  actor: Actor,
  of: BlockTarget | Pick<BlockRow, "id">,
): Promise<BlockRow | null> {
  return await deps.pool.transaction(async (tx) => {
    const lifted = await deleteBlock(tx, of);
    if (lifted !== null) await recordAct(tx, actor, actOnBlock(lifted, "block.lift"), deps.now());
    return lifted;
  });
}

/** The audit never forgets, so it keeps no e-mail address: of a lifted block of one only the id stays. */
function actOnBlock({ id, kind, value }: BlockRow, action: string): Act {
  const detail: Act["detail"] = kind === "email" ? { kind } : { kind, value };
  return { action, subjectKind: "block", subjectId: id, agentId: null, detail };
}

/** A page of the blocks, newest first, and where the next one begins; a cursor that is none is left out. */
export async function listBlocks(deps: Deps, cursor: unknown) {
  const beforeId = typeof cursor === "string" ? toUlid(cursor) : null;
  const part = { beforeId, limit: LISTED + 1, nowMs: deps.now() };
  const rows = await listBlockEntries(deps.pool, {}, part);
  const data = rows.slice(0, LISTED).map((row) => ({
    ...row,
    until_at: toIsoOrNull(row.until_at),
    created_at: toIso(row.created_at),
  }));
  return { data, next: rows.length > LISTED ? (data.at(-1)?.id ?? null) : null };
}

function refuseOwn() {
  return validationFailed({ network: ["You are in this network yourself, and would be refused too."] });
}

function refuseEnd(nowMs: number) {
  const sentence = `The end of a block must be in the future, such as ${toIso(nowMs + DAY_MS)}.`;
  return validationFailed({ until: [sentence] });
}
