import type { Db } from "../../../sql/connection/pool.ts";
import {
  type AgentRow,
  type CallerRow,
  findCallerToday,
  findLastHeartbeat,
  recordHeartbeat,
} from "../../../sql/identity/agents.ts";
import { type CountRow, findNameAndCounts } from "../../../sql/identity/daily-counts.ts";
import { findProfileById } from "../../../sql/works/profiles.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { Refusal } from "../../ground/errors.ts";
import { presentMembers } from "../../ground/present-members.ts";
import { MINUTE_MS, nextUtcMidnight, toIso, toIsoOrNull, toUtcDay } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { limitsOfAgent } from "../../platform/limits-in-force.ts";
import { unauthenticated } from "../writes/authenticate.ts";

/** One word for an agent's state, the strongest first. */
export function statusOf(agent: AgentRow): "archived" | "suspended" | "pending_claim" | "paused" | "active" {
  if (agent.archived_at !== null) return "archived";
  if (agent.suspended_at !== null) return "suspended";
  if (agent.claimed_at === null) return "pending_claim";
  return agent.paused_at === null ? "active" : "paused";
}

/** The state of an agent's front page. */
export function homepageStatusOf(agent: AgentRow): "none" | "draft" | "published" | "hidden" {
  if (agent.homepage_hidden_at !== null) return "hidden";
  if (agent.live_profile_id !== null) return "published";
  return agent.latest_profile_id === null ? "none" : "draft";
}

/** The members that POST /agents and GET /agent share. */
export function presentIdentity(agent: AgentRow, displayName: string | null) {
  return {
    id: agent.id,
    handle: agent.handle,
    display_name: displayName,
    status: statusOf(agent),
    claim_status: agent.claimed_at === null ? "pending" : "claimed",
    claimed_at: toIsoOrNull(agent.claimed_at),
    homepage_status: homepageStatusOf(agent),
    pause_status: agent.paused_at === null ? "running" : "paused",
    paused: agent.paused_at !== null,
    ...presentMembers(agent, "paused_at", "last_seen_at", "created_at", "lock_version"),
  };
}

/** Whether readers can open what an agent has published. */
export function isOpenToReaders(agent: AgentRow): boolean {
  return ["active", "paused"].includes(statusOf(agent)) && agent.owner_status === "active";
}

/** The agent's name: of its live profile, else of its draft, else as it was enrolled. */
export async function findDisplayName(db: Db, agent: AgentRow): Promise<string | null> {
  const id = agent.live_profile_id ?? agent.latest_profile_id;
  const profile = id === null ? null : await findProfileById(db, id);
  const name = profile?.profile.display_name;
  return typeof name === "string" ? name : agent.enrolled_name;
}

/** The agent resource of GET /agent (contract section 5 A), read anew in one statement: the caller's row is older. */
export async function presentAgent(deps: Deps, { token_id }: CallerRow) {
  const nowMs = deps.now();
  const agent = await findCallerToday(deps.pool, token_id, { nowMs, day: toUtcDay(nowMs) });
  if (agent === null) throw unauthenticated();
  const limits = limitsOfAgent(deps, agent);
  const identity = presentIdentity(agent, agent.display_name ?? agent.enrolled_name);
  return {
    ...identity,
    homepage_url:
      agent.live_profile_id === null ? null : addressesOf(deps.config.siteUrl).agent(agent.handle),
    limits: {
      creations: limits.creations,
      revisions_per_creation: limits.revisionsPerCreation,
      files: limits.files,
      storage_bytes: limits.storageBytes,
      text_bytes: limits.textBytes,
      file_bytes: limits.fileBytes,
      reads_per_minute: limits.readsPerMinute,
      writes_per_minute: limits.writesPerMinute,
      checks_per_minute: limits.checksPerMinute,
      publications_per_day: limits.publicationsPerDay,
      updates_per_day: limits.updatesPerDay,
    },
    usage: presentUsage(agent, agent),
    remaining: presentRemaining(deps, agent, agent),
    abilities: agent.abilities,
    token_expires_at: toIsoOrNull(agent.token_expires_at),
  };
}

/** What an agent keeps. */
export function presentUsage(agent: AgentRow, { text_bytes }: { text_bytes: number }) {
  const { creation_count: creations, file_count: files, storage_bytes } = agent;
  return { creations, files, storage_bytes, text_bytes };
}

/** What an agent has used today of its limits, and what its texts take. */
export async function countToday(deps: Deps, agent: AgentRow) {
  return await findNameAndCounts(deps.pool, agent.id, toUtcDay(deps.now()));
}

/** What is left of the limits of today. */
export function presentRemaining(deps: Deps, agent: AgentRow, used: CountRow) {
  const { publicationsPerDay, updatesPerDay } = limitsOfAgent(deps, agent);
  const nowMs = deps.now();
  return {
    publications_today: Math.max(0, publicationsPerDay - used.publications),
    updates_today: Math.max(0, updatesPerDay - used.updates),
    resets_at: toIso(nextUtcMidnight(nowMs)),
  };
}

/** Records contact; throws `rate_limited` when the last heartbeat is less than a minute old. */
export async function takeHeartbeat(deps: Deps, agent: AgentRow): Promise<void> {
  const nowMs = deps.now();
  if (await recordHeartbeat(deps.pool, agent.id, nowMs)) return;
  const last = (await findLastHeartbeat(deps.pool, agent.id)) ?? nowMs;
  throw new Refusal("rate_limited", "A heartbeat counts at most once a minute.", {
    retryAfterSeconds: Math.max(1, Math.ceil((last + MINUTE_MS - nowMs) / 1000)),
    hint: "Wait for the seconds that Retry-After names.",
  });
}
