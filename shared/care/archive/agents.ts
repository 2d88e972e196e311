import { listErrorReports } from "../../../sql/care/reports.ts";
import type { Db } from "../../../sql/connection/pool.ts";
import { listWatched } from "../../../sql/datasets/watched-questions.ts";
import type { AgentRow } from "../../../sql/identity/agents.ts";
import { findNameAndCounts } from "../../../sql/identity/daily-counts.ts";
import { type EveryGrantRow, listGrantsOf } from "../../../sql/identity/oauth-grants.ts";
import { listTokensOf } from "../../../sql/identity/tokens.ts";
import { listWatches } from "../../../sql/trust/watches.ts";
import { listProfileTexts, type ProfileTextRow } from "../../../sql/works/profiles.ts";
import { presentWatched } from "../../datasets/evidence/watched-answer.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { presentMembers } from "../../ground/present-members.ts";
import { RawJson } from "../../ground/raw-json.ts";
import { toIso, toUtcDay } from "../../ground/times.ts";
import { readAgentKeys } from "../../identity/agents/agent-keys.ts";
import { presentIdentity, presentUsage } from "../../identity/agents/present-agent.ts";
import type { Deps } from "../../platform/deps.ts";
import { presentWatch } from "../../trust/events/watches.ts";
import { type Archive, eachRow, toEntryName } from "./zip.ts";

const PROFILES_AT_ONCE = 20;
const ERRORS = 10_000;
const TEXTS = ["introduction_markdown", "about_markdown"] as const;

/** The archive folder of an agent. */
export function folderOf(agent: Pick<AgentRow, "handle">): string {
  return `agents/${toEntryName(agent.handle)}`;
}

/** Adds an agent: its record, its tokens without their secrets, and every profile that it saved. */
export async function addAgent(deps: Deps, db: Db, archive: Archive, agent: AgentRow): Promise<void> {
  const folder = folderOf(agent);
  const tokens = await listTokensOf(db, agent.id);
  const connections = await listGrantsOf(db, agent.id);
  const addresses = addressesOf(deps.config.siteUrl);
  const errors = await listErrorReports(db, agent.id, ERRORS);
  const all = { limit: null, offset: 0 };
  const watches = await listWatches(db, agent.id, all);
  const watched = await listWatched(db, agent.id, all);
  await archive.addJson(`${folder}/agent.json`, {
    ...presentIdentity(agent, agent.enrolled_name),
    ...presentMembers(agent, "suspended_at", "archived_at", "homepage_hidden_at"),
    homepage_url: agent.live_profile_id === null ? null : addresses.agent(agent.handle),
    usage: presentUsage(agent, await findNameAndCounts(db, agent.id, toUtcDay(deps.now()))),
    reported_errors: errors.map(({ created_at, ...error }) => ({ ...error, created_at: toIso(created_at) })),
    ...(await readAgentKeys(db, agent.id)),
    watches: watches.map(presentWatch),
    watched_questions: watched.map((row) => presentWatched(deps.config.siteUrl, row)),
    tokens: tokens.map((token) => ({
      ...presentMembers(token, "prefix", "abilities", "created_at", "last_used_at", "expires_at"),
      ...presentMembers(token, "revoked_at"),
    })),
    connections: connections.map(presentConnection),
  });
  const read = (after: number, most: number) => listProfileTexts(db, agent.id, after, most);
  for await (const profile of eachRow(0, PROFILES_AT_ONCE, read, (row) => row.revision_number)) {
    await addProfile(archive, agent, profile);
  }
}

function presentConnection(grant: EveryGrantRow) {
  return {
    client: grant.client_name,
    ...presentMembers(grant, "client_id", "redirect_host", "abilities", "created_at", "last_used_at"),
    ...presentMembers(grant, "expires_at", "ended_at"),
  };
}

async function addProfile(archive: Archive, agent: AgentRow, row: ProfileTextRow): Promise<void> {
  const start = `${folderOf(agent)}/profile/${row.revision_number}`;
  await archive.addJson(`${start}.json`, {
    ...presentMembers(row, "id", "revision_number", "state"),
    live: row.id === agent.live_profile_id,
    ...presentMembers(row, "checksum", "created_at", "published_at"),
    profile: new RawJson(row.profile),
  });
  const profile: Record<string, unknown> = JSON.parse(row.profile);
  for (const name of TEXTS) {
    const text = profile[name];
    if (typeof text === "string" && text !== "")
      await archive.addText(`${start}-${name.split("_")[0]}.md`, text);
  }
}
