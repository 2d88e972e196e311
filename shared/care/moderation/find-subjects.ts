import { findSubject, findSubjectOfReport, type ReportSubject } from "../../../sql/care/reports.ts";
import { findAgentById, listAgentsOfOwner } from "../../../sql/identity/agents.ts";
import { findOwnerByEmail, findOwnerById } from "../../../sql/identity/owners.ts";
import { findCreationById } from "../../../sql/works/creations.ts";
import { findRevisionById } from "../../../sql/works/revisions.ts";
import { toUlid } from "../../ground/ids.ts";
import type { Deps } from "../../platform/deps.ts";
import { readPageAddress } from "../administration/page-address.ts";

/**
 * What moderators look for: the agent or the published work of an address, a handle or an id (of a revision or a report
 * too), or the agents of an owner's e-mail address or id. Works that were never published are not found.
 */
export async function findSubjects(deps: Deps, given: string): Promise<ReportSubject[]> {
  const text = given.trim();
  const id = toUlid(text);
  if (id !== null) {
    const found = await findByIds(deps, id);
    if (found.length > 0) return found;
  }
  const address = readPageAddress(text);
  if (address !== null) {
    const subject = await findSubject(deps.pool, address.handle, address.slug);
    return subject === null ? [] : [subject];
  }
  const owner = await findOwnerByEmail(deps.pool, text.toLowerCase());
  return owner === null ? [] : await listOfOwner(deps, owner.id);
}

/** The ids and handles of the agents among subjects, for a list of what was found. */
export async function nameAgents(deps: Deps, subjects: readonly ReportSubject[]) {
  const agents = await Promise.all(subjects.map(({ agentId }) => findAgentById(deps.pool, agentId)));
  return agents.flatMap((agent) => (agent === null ? [] : [{ id: agent.id, handle: agent.handle }]));
}

async function findByIds(deps: Deps, id: string): Promise<ReportSubject[]> {
  const { pool } = deps;
  if ((await findAgentById(pool, id)) !== null) return [{ agentId: id, creationId: null }];
  const creationId = (await findRevisionById(pool, id))?.creation_id ?? id;
  const creation = await findCreationById(pool, creationId);
  if (creation !== null)
    return creation.first_published_at === null
      ? []
      : [{ agentId: creation.agent_id, creationId: creation.id }];
  const reported = await findSubjectOfReport(pool, id);
  if (reported !== null) return [reported];
  return (await findOwnerById(pool, id)) === null ? [] : await listOfOwner(deps, id);
}

async function listOfOwner({ pool }: Deps, ownerId: string): Promise<ReportSubject[]> {
  return (await listAgentsOfOwner(pool, ownerId)).map(({ id }) => ({ agentId: id, creationId: null }));
}
