import { isIP } from "node:net";
import {
  type BlockKind,
  type BlockRow,
  deleteBlock,
  listBlockEntries,
  listBlockedValues,
  saveBlock,
  writeNetwork,
} from "../../../sql/care/blocks.ts";
import { notFound, refuse, refuseField } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import { askWhichWasMeant } from "../../ground/nearest-name.ts";
import { DAY_MS, toIso, toIsoOrNull } from "../../ground/times.ts";
import { type Act, type Actor, makeAct, recordAct } from "../../identity/audit/record-act.ts";
import { toDomainName } from "../../identity/domains/names.ts";
import { toBlockedEmail } from "../../identity/sign-in/mailbox.ts";
import { readEmail, readReason } from "../../identity/sign-in/owner-fields.ts";
import type { Deps } from "../../platform/deps.ts";
import { isInNetwork } from "./blocked-networks.ts";

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
  if (from !== undefined && target.kind === "network" && isInNetwork(from, target.value))
    throw refuseField("network", "You are in this network yourself, and would be refused too.");
  const reason = terms.reason === null ? null : readReason(terms.reason);
  const nowMs = deps.now();
  if (untilMs !== null && untilMs <= nowMs) throw refuseEnd(nowMs);
  const id = await putBlock(deps, actor, target, { reason, untilMs });
  return { id, ...target, reason, until_at: toIsoOrNull(untilMs) };
}

/** Stores a block whose target was read; returns its id. */
export async function putBlock(deps: Deps, actor: Actor, target: BlockTarget, terms: BlockTerms) {
  const nowMs = deps.now();
  return await deps.pool.transaction(async (tx) => {
    const id = await saveBlock(tx, { id: deps.newId(), ...target, ...terms, nowMs });
    await recordAct(tx, actor, actOnBlock({ id, ...target }, "block.add"), nowMs);
    return id;
  });
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
  return makeAct("block", id, action, { detail: kind === "email" ? { kind } : { kind, value } });
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

function refuseEnd(nowMs: number) {
  const sentence = `The end of a block must be in the future, such as ${toIso(nowMs + DAY_MS)}.`;
  return refuseField("until", sentence);
}

/** What to block: exactly one of them. */
export interface BlockWish {
  emailDomain?: string | undefined;
  email?: string | undefined;
  network?: string | undefined;
}

/** What a block names, in the form in which it is stored. */
export type BlockTarget = Pick<BlockRow, "kind" | "value">;

/** Wider networks hold a good part of all readers: such a block is a mistake. */
const FEWEST_BITS = { 4: 8, 6: 16 } as const;
const MOST_BITS = { 4: 32, 6: 128 } as const;
const MAPPED = "::ffff:";
const MAPPED_BITS = 96;

/** Reads what a block names; throws 422 on the option. */
export async function readBlockTarget(deps: Deps, wish: BlockWish): Promise<BlockTarget> {
  const { email, emailDomain, network } = wish;
  if ([email, emailDomain, network].filter((one) => one !== undefined).length === 1) {
    if (email !== undefined) return { kind: "email", value: toBlockedEmail(readEmail(email)) };
    if (emailDomain !== undefined) return { kind: "email_domain", value: readEmailDomain(emailDomain) };
    if (network !== undefined) return { kind: "network", value: await readNetwork(deps, network.trim()) };
  }
  throw refuseField("block", "Name one e-mail domain, one e-mail address or one network.");
}

function readEmailDomain(given: string): string {
  const text = given.trim();
  const domain = toDomainName(text.startsWith("@") ? text.slice(1) : text);
  if (domain?.includes(".")) return domain;
  throw refuseField("email_domain", "The e-mail domain must be a name such as example.org.");
}

/** A network in the form `203.0.113.0/24`, or one address; IPv4 within IPv6 is that IPv4. */
async function readNetwork(deps: Deps, text: string): Promise<string> {
  const [address = "", prefix, ...rest] = text.split("/");
  const version = isIP(address);
  if ((version !== 4 && version !== 6) || address.includes("%") || rest.length > 0) throw refuseForm();
  const bits = prefix === undefined ? MOST_BITS[version] : readPrefix(prefix);
  if (!(bits <= MOST_BITS[version])) throw refuseForm();
  return checkWidth(unmapNetwork(await writeNetwork(deps.pool, address, bits)));
}

function readPrefix(prefix: string): number {
  return /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
}

function unmapNetwork(network: string): string {
  const [address = "", bits] = network.slice(MAPPED.length).split("/");
  const isMapped = network.startsWith(MAPPED) && isIP(address) === 4 && Number(bits) >= MAPPED_BITS;
  return isMapped ? `${address}/${Number(bits) - MAPPED_BITS}` : network;
}

function checkWidth(network: string): string {
  const [address = "", bits] = network.split("/");
  const fewest = FEWEST_BITS[isIP(address) === 6 ? 6 : 4];
  if (Number(bits) >= fewest) return network;
  throw refuseField("network", `${network} is too wide: a network has a prefix of ${fewest} bits at least.`);
}

function refuseForm() {
  const sentence =
    "The network must be an address such as 203.0.113.7, or a network such as 203.0.113.0/24 or 2001:db8::/32.";
  return refuseField("network", sentence);
}
