import { findAgentUse, findOwnerUse } from "../../../sql/care/limit-use.ts";
import {
  sumKeptOfDay,
  sumStorageByAgent,
  sumStorageByKind,
  sumStorageByOwner,
} from "../../../sql/care/stored-files.ts";
import { findAgentById } from "../../../sql/identity/agents.ts";
import { findNameAndCounts } from "../../../sql/identity/daily-counts.ts";
import { findOwnerById } from "../../../sql/identity/owners.ts";
import { listRevisionsOf } from "../../../sql/works/revisions.ts";
import { orNotFound } from "../../ground/errors.ts";
import { presentMembers } from "../../ground/present-members.ts";
import { HOUR_MS, startOfUtcDay, toUtcDay } from "../../ground/times.ts";
import { COUNTED_MS } from "../../identity/sign-in/invitations.ts";
import type { Deps } from "../../platform/deps.ts";
import { limitsOfAgent, limitsOfOwner } from "../../platform/limits-in-force.ts";
import { findEntry, type ListEntry, listEntries, readLimit } from "./list-entries.ts";

const REVISIONS_SHOWN = 100;
const ALL_ENTRIES = "1000";

/** The use of a limit; `used` is null for limits of a minute, which API processes or Redis count. */
export interface LimitUse {
  used: number | null;
  limit: number;
}

/** An owner with the agents, domains, invitations and open codes, and what of every limit is used. */
export async function showOwner(deps: Deps, id: string): Promise<ListEntry> {
  const owner = orNotFound("owner", await findOwnerById(deps.pool, id));
  const limits = limitsOfOwner(deps, owner);
  const nowMs = deps.now();
  const since = {
    checksMs: nowMs - HOUR_MS,
    exportsMs: startOfUtcDay(nowMs),
    invitationsMs: nowMs - COUNTED_MS,
  };
  const used = await findOwnerUse(deps.pool, id, since);
  const usage: Record<string, LimitUse> = {
    agents: { used: used.agents, limit: limits.agentsPerOwner },
    domains: { used: used.domains, limit: limits.domainsPerOwner },
    domain_checks_this_hour: { used: used.domain_checks, limit: limits.domainChecksPerHour },
    webhooks: { used: used.webhooks, limit: limits.webhooksPerOwner },
    webhook_asks_this_hour: { used: used.webhook_asks, limit: limits.webhookAsksPerHour },
    exports_today: { used: used.exports, limit: limits.exportsPerDay },
    invitations_in_30_days: { used: used.invitations, limit: limits.invitesPerOwner },
  };
  const of = (filters: Record<string, string>) => ({
    filters: { owner: id, ...filters },
    limit: ALL_ENTRIES,
  });
  return {
    ...(await findEntry(deps, "owner", id)),
    usage,
    own_limits: owner.own_limits ?? {},
    agent_list: (await listEntries(deps, "agent", of({}))).data,
    domains: (await listEntries(deps, "domain", of({}))).data,
    invitations: (await listEntries(deps, "invitation", of({}))).data,
    open_codes: (await listEntries(deps, "code", of({ state: "open" }))).data,
  };
}

/** An agent with what of every limit is used. */
export async function showAgent(deps: Deps, id: string): Promise<ListEntry> {
  const nowMs = deps.now();
  const agent = orNotFound("agent", await findAgentById(deps.pool, id));
  const limits = limitsOfAgent(deps, agent);
  const [today, used] = await Promise.all([
    findNameAndCounts(deps.pool, id, toUtcDay(nowMs)),
    findAgentUse(deps.pool, id, nowMs),
  ]);
  const usage: Record<string, LimitUse> = {
    creations: { used: agent.creation_count, limit: limits.creations },
    revisions_per_creation: { used: used.most_revisions, limit: limits.revisionsPerCreation },
    files: { used: agent.file_count, limit: limits.files },
    storage_bytes: { used: agent.storage_bytes, limit: limits.storageBytes },
    text_bytes: { used: today.text_bytes, limit: limits.textBytes },
    file_bytes: { used: used.largest_file, limit: limits.fileBytes },
    processing_uploads: { used: used.processing_uploads, limit: limits.processingUploads },
    publications_today: { used: today.publications, limit: limits.publicationsPerDay },
    updates_today: { used: today.updates, limit: limits.updatesPerDay },
    profile_revisions: { used: agent.profile_revision_count, limit: limits.profileRevisions },
    tokens: { used: used.tokens, limit: limits.tokensPerAgent },
    grants: { used: used.grants, limit: limits.grantsPerAgent },
    reads_per_minute: { used: null, limit: limits.readsPerMinute },
    writes_per_minute: { used: null, limit: limits.writesPerMinute },
    checks_per_minute: { used: null, limit: limits.checksPerMinute },
  };
  return {
    ...(await findEntry(deps, "agent", id)),
    usage,
    own_limits: agent.own_limits ?? {},
    owner_limits: agent.owner_limits ?? {},
  };
}

/** A creation with its latest revisions. */
export async function showCreation(deps: Deps, id: string): Promise<ListEntry> {
  const revisions = await listRevisionsOf(deps.pool, id, { limit: REVISIONS_SHOWN, offset: 0 });
  return {
    ...(await findEntry(deps, "creation", id)),
    revision_list: revisions.map((revision) => ({
      ...presentMembers(revision, "id", "revision_number", "state", "title", "created_at", "published_at"),
      ...presentMembers(revision, "content_removed_at", "content_removed_by"),
    })),
  };
}

/** The stored bytes and files in all, by kind, and of the owners and agents with the most; throws 422 on `limit`. */
export async function reportStorage({ pool, now }: Deps, wantedLimit?: string) {
  const limit = readLimit(wantedLimit);
  const [kinds, owners, agents, today] = await Promise.all([
    sumStorageByKind(pool),
    sumStorageByOwner(pool, limit),
    sumStorageByAgent(pool, limit),
    sumKeptOfDay(pool, toUtcDay(now()), limit),
  ]);
  const sum = (member: "files" | "bytes") => kinds.reduce((total, kind) => total + kind[member], 0);
  return { files: sum("files"), bytes: sum("bytes"), kinds, owners, agents, today };
}
