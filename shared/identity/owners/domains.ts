import type { Tx } from "../../../sql/connection/pool.ts";
import {
  type DomainRow,
  deleteDomain,
  findDomainOf,
  insertDomain,
  listDomainsOf,
  saveDomainCheck,
  takeDomainsToRecheck,
  updateShownDomain,
} from "../../../sql/identity/domains.ts";
import { countAsk, findOwnerById, lockOwner } from "../../../sql/identity/owners.ts";
import { getById, notFound, Refusal, refuseField } from "../../ground/errors.ts";
import { presentMembers } from "../../ground/present-members.ts";
import { DAY_MS, HOUR_MS } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { limitsOfOwner } from "../../platform/limits-in-force.ts";
import { type Actor, makeAct, recordAct, SERVICE } from "../audit/record-act.ts";
import { makeLinkSecret } from "../credentials/tokens.ts";
import { findProof, PROOF_PATH, type Proof, proofName, proofText } from "../domains/find-proof.ts";
import { readDomain } from "../domains/names.ts";

/** A proof that fails this often in a row no longer counts. */
export const MOST_FAILURES = 3;
const RECHECKS_AT_ONCE = 20;

/** An owner's domains with the text that each must show. */
export async function listDomains(deps: Deps, ownerId: string) {
  return (await listDomainsOf(deps.pool, ownerId)).map((row) => ({
    id: row.id,
    domain: row.domain,
    record: { name: proofName(row.domain), value: proofText(row.token) },
    file_url: `https://${row.domain}${PROOF_PATH}`,
    ...presentMembers(row, "verified_at", "verified_by", "checked_at", "failures", "shown"),
  }));
}

/** Adds a domain for the owner to prove; throws 422 on `domain`. */
export async function addDomain(deps: Deps, actor: Actor, ownerId: string, given: string): Promise<void> {
  const domain = readDomain(given);
  await deps.pool.transaction(async (tx) => {
    const most = limitsOfOwner(deps, await lockOwner(tx, ownerId)).domainsPerOwner;
    const own = await listDomainsOf(tx, ownerId);
    if (own.some((row) => row.domain === domain))
      throw refuseField("domain", "You have this domain already.");
    if (own.length >= most) throw refuseField("domain", `You have ${own.length} domains; remove one first.`);
    const token = makeLinkSecret();
    const added = await insertDomain(tx, { id: deps.newId(), ownerId, domain, token, nowMs: deps.now() });
    await record(tx, deps, actor, added, "domain.add");
  });
}

/**
 * Checks whether a domain proves itself now and returns what was found. Throws `rate_limited` over the owner's
 * hourly checks and `not_found` for another owner's domain.
 */
export async function checkDomain(deps: Deps, actor: Actor, ownerId: string, id: string): Promise<Proof> {
  const nowMs = deps.now();
  const domain = await deps.pool.transaction(async (tx) => {
    const most = limitsOfOwner(deps, await lockOwner(tx, ownerId)).domainChecksPerHour;
    const found = await getDomain(tx, ownerId, id);
    if ((await countAsk(tx, "domain_checks", ownerId, { nowMs, sinceMs: nowMs - HOUR_MS })) > most) {
      throw new Refusal("rate_limited", `You can check ${most} times an hour.`, { retryAfterSeconds: 3600 });
    }
    return found;
  });
  return await settle(deps, actor, domain);
}

/** Shows a verified domain beside the alias, in place of any other. */
export async function showDomain(deps: Deps, actor: Actor, ownerId: string, id: string): Promise<void> {
  await deps.pool.transaction(async (tx) => {
    await lockOwner(tx, ownerId);
    const domain = await getDomain(tx, ownerId, id);
    if (domain.verified_at === null) {
      throw refuseField("domain", "Only a verified domain can be shown; check it first.");
    }
    await updateShownDomain(tx, ownerId, domain.id);
    await record(tx, deps, actor, domain, "domain.show");
  });
}

/** Stops showing a domain; the proof stays. */
export async function hideDomain(deps: Deps, actor: Actor, ownerId: string, id: string): Promise<void> {
  await deps.pool.transaction(async (tx) => {
    await lockOwner(tx, ownerId);
    const domain = await getDomain(tx, ownerId, id);
    // An act that hid nothing would, done again after a restore, hide the domain that is shown.
    if (!domain.shown) return;
    await updateShownDomain(tx, ownerId, null);
    await record(tx, deps, actor, domain, "domain.hide");
  });
}

/** Removes a domain, which is no longer shown. */
export async function removeDomain(deps: Deps, actor: Actor, ownerId: string, id: string): Promise<void> {
  await deps.pool.transaction(async (tx) => {
    await lockOwner(tx, ownerId);
    const domain = await getDomain(tx, ownerId, id);
    await deleteDomain(tx, domain.id);
    await record(tx, deps, actor, domain, "domain.remove");
  });
}

/**
 * Checks domains again a day after their last check and returns the count; a domain that fails too often
 * loses its proof.
 */
export async function sweepDomains(deps: Deps): Promise<number> {
  const nowMs = deps.now();
  const due = await deps.pool.transaction((tx) =>
    takeDomainsToRecheck(tx, { beforeMs: nowMs - DAY_MS, nowMs, limit: RECHECKS_AT_ONCE }),
  );
  for (const domain of due) await settle(deps, SERVICE, domain);
  return due.length;
}

/** The check runs outside any transaction, as it waits for the network. */
async function settle(deps: Deps, actor: Actor, known: DomainRow): Promise<Proof> {
  const proof = await findProof(deps.outboundNetwork, known.domain, known.token);
  const { found } = proof;
  await deps.pool.transaction(async (tx) => {
    await lockOwner(tx, known.owner_id);
    const before = await findDomainOf(tx, known.owner_id, known.id);
    const check = { id: known.id, found, mostFailures: MOST_FAILURES, nowMs: deps.now() };
    const after = await saveDomainCheck(tx, check);
    if (before === null || after === null) return;
    const isLost = before.verified_at !== null && after.verified_at === null;
    const isWon = before.verified_at === null && after.verified_at !== null;
    if (isWon) await record(tx, deps, actor, after, "domain.verify");
    else if (isLost) await record(tx, deps, actor, after, "domain.lose");
    else if (found === null) await record(tx, deps, actor, after, "domain.fail");
  });
  return proof;
}

async function getDomain(tx: Tx, ownerId: string, id: string): Promise<DomainRow> {
  return await getById("domain", id, (ulid) => findDomainOf(tx, ownerId, ulid));
}

async function record(
  tx: Tx,
  deps: Deps,
  actor: Actor,
  { id, owner_id, domain }: Pick<DomainRow, "id" | "owner_id" | "domain">,
  action: string,
) {
  const detail = { domain, domain_id: id };
  await recordAct(tx, actor, makeAct("owner", owner_id, action, { detail }), deps.now());
}

const ACTS = { verify: checkDomain, show: showDomain, hide: hideDomain, remove: removeDomain } as const;

export type DomainCommand = keyof typeof ACTS;

/**
 * Runs an operator's command on an owner's domain, given by its name; `verify` adds a name that the owner
 * does not have yet and runs the check. Returns the domain's state, the last one where it is removed, with the record
 * that would prove it, and after a check why a place does not show it.
 */
export async function runDomainCommand(
  deps: Deps,
  actor: Actor,
  command: DomainCommand,
  wanted: { ownerId: string; domain: string },
) {
  const name = readDomain(wanted.domain);
  const { ownerId } = wanted;
  if ((await findOwnerById(deps.pool, ownerId)) === null) throw notFound("owner");
  if (command === "verify" && (await findByName(deps, ownerId, name)) === undefined)
    await addDomain(deps, actor, ownerId, name);
  const known = await findByName(deps, ownerId, name);
  if (known === undefined) throw notFound("domain");
  const proof = await ACTS[command](deps, actor, ownerId, known.id);
  const { id: _id, ...shown } = (await findByName(deps, ownerId, name)) ?? known;
  return { owner_id: ownerId, ...shown, ...(proof ? { missing: proof.missing } : {}) };
}

async function findByName(deps: Deps, ownerId: string, name: string) {
  return (await listDomains(deps, ownerId)).find(({ domain }) => domain === name);
}
