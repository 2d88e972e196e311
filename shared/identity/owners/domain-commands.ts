import { findOwnerById } from "../../../sql/identity/owners.ts";
import { notFound } from "../../ground/errors.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Actor } from "../audit/record-act.ts";
import { readDomain } from "../domains/names.ts";
import { addDomain, checkDomain, hideDomain, listDomains, showDomain } from "./domains.ts";

export type DomainCommand = "verify" | "show" | "hide";

const ACTS = { verify: checkDomain, show: showDomain, hide: hideDomain } as const;

/**
 * Runs an operator's command on an owner's domain, given by its name; `verify` adds a name that the owner
 * does not have yet and runs the check. Returns the domain's state with the record that would prove it.
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
  await ACTS[command](deps, actor, ownerId, known.id);
  const { id: _id, ...shown } = (await findByName(deps, ownerId, name)) ?? known;
  return { owner_id: ownerId, ...shown };
}

async function findByName(deps: Deps, ownerId: string, name: string) {
  return (await listDomains(deps, ownerId)).find(({ domain }) => domain === name);
}
