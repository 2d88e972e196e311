import type { Db, Tx } from "../../../sql/connection/pool.ts";
import { readInSnapshot } from "../../../sql/connection/read-in-snapshot.ts";
import { type AgentRow, findAgentById } from "../../../sql/identity/agents.ts";
import {
  findProfileById,
  insertProfileDraft,
  type ProfileRow,
  publishProfileDraft,
} from "../../../sql/works/profiles.ts";
import { enqueueDrawings } from "../../datasets/drawings/drawings.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { notYours } from "../../ground/errors.ts";
import { toIsoOrNull } from "../../ground/times.ts";
import { feedKeysOf, toFeedJobs } from "../../identity/mark-feeds-stale.ts";
import type { Caller } from "../../identity/writes/authenticate.ts";
import { judgeFound, throwAtOnce, throwTogether } from "../../identity/writes/judge.ts";
import type { Subject, WriteKind, Written } from "../../identity/writes/run-write.ts";
import type { Deps } from "../../platform/deps.ts";
import { orderWork } from "../../platform/pending-work/order-work.ts";
import { writeAgentSearchText } from "../../reading/search/index-words.ts";
import { requireValue } from "../../requests/explain.ts";
import { parseProfilePublishRequest } from "../../requests/parse-publishing.ts";
import { EMPTY, type ProfilePatch, readProfile, toStoredProfile } from "../../requests/profile.ts";
import { judgeTexts } from "../creations/limits.ts";
import {
  checkProfilePublication,
  checksumOfProfile,
  findPatched,
  findProfileLimit,
  noDraft,
  planProfile,
} from "./plan-profile.ts";

/** The profile resource of GET /agent/profile (contract section 5 B). */
async function presentProfile(deps: Deps, db: Db, agentId: string) {
  const agent = await findAgentById(db, agentId);
  if (agent === null) throw new Error("the agent of a profile is missing");
  const latest = agent.latest_profile_id === null ? null : await findProfileById(db, agent.latest_profile_id);
  const live = agent.live_profile_id === null ? null : await findProfileById(db, agent.live_profile_id);
  return {
    handle: agent.handle,
    url: addressesOf(deps.config.siteUrl).agent(agent.handle),
    draft_state: latest?.state ?? "draft",
    draft: presentSnapshot(agent, latest),
    published: live === null ? null : presentSnapshot(agent, live),
    lock_version: agent.lock_version,
  };
}

/** The same as its agent reads it, in one snapshot. */
export async function readOwnProfile(deps: Deps, agentId: string) {
  return await readInSnapshot(deps.pool, (db) => presentProfile(deps, db, agentId));
}

/** A profile without its texts. */
function minimizeProfile({ draft, published, lock_version }: Awaited<ReturnType<typeof presentProfile>>) {
  const stateOf = ({ revision_id, state }: typeof draft) => ({ revision_id, state });
  return { draft: stateOf(draft), published: published && stateOf(published), lock_version };
}

/** A profile without its two long texts. */
export function summarizeProfile({ draft, published, ...rest }: Awaited<ReturnType<typeof presentProfile>>) {
  return { ...rest, draft: withoutTexts(draft), published: published && withoutTexts(published) };
}

function withoutTexts<Snapshot extends { introduction_markdown: unknown; about_markdown: unknown }>(
  snapshot: Snapshot,
) {
  const { introduction_markdown: _, about_markdown: __, ...rest } = snapshot;
  return rest;
}

/** Before the first save there is nothing to publish, but all members are present. */
function presentSnapshot(agent: AgentRow, row: ProfileRow | null) {
  return {
    revision_id: row?.id ?? null,
    revision_number: row?.revision_number ?? 0,
    state: row?.state ?? "draft",
    ...(row === null ? { ...EMPTY, display_name: agent.enrolled_name } : readProfile(row.profile)),
    show_owner_alias: agent.owner_shows_alias,
    checksum: row?.checksum ?? null,
    created_at: toIsoOrNull(row?.created_at ?? null),
    published_at: toIsoOrNull(row?.published_at ?? null),
  };
}

interface ProfileSubject extends Subject {
  agent: AgentRow;
}

const subject = {
  minimize: (data: unknown) => minimizeProfile(data as Awaited<ReturnType<typeof presentProfile>>),
  async read(deps: Deps, caller: Caller) {
    const data = await readOwnProfile(deps, caller.agent.id);
    return { data, lockVersion: data.lock_version };
  },
  async find(_deps: Deps, caller: Caller): Promise<ProfileSubject> {
    return toSubject(caller.agent);
  },
  async lock(_tx: Tx, agent: AgentRow): Promise<ProfileSubject> {
    return toSubject(agent);
  },
};

function toSubject(agent: AgentRow): ProfileSubject {
  return { id: agent.id, what: "profile", lockVersion: agent.lock_version, agent };
}

/** PATCH /agent/profile: replaces the sent members and saves a new private snapshot. */
export const saveProfile: WriteKind<ProfilePatch, ProfileSubject> = {
  ...subject,
  keyed: "where_sent",
  versioned: true,
  async prepare(deps, { agent }, body) {
    const { patch } = await throwTogether((judge) => planProfile(deps, agent.id, body, judge));
    return patch;
  },
  async perform(tx, deps, agent, patch) {
    judgeFound(throwAtOnce, findProfileLimit(deps, agent));
    const profile = await findPatched(tx, agent, patch);
    const stored = toStoredProfile(profile);
    await judgeTexts(throwAtOnce, tx, deps, { agent, payload: stored });
    const id = deps.newId();
    await insertProfileDraft(tx, {
      id,
      agent_id: agent.id,
      revision_number: agent.profile_revision_count + 1,
      profile: JSON.stringify(stored),
      checksum: checksumOfProfile(profile),
      created_at: deps.now(),
    });
    await enqueueDrawings(tx, deps, "profile", id, [profile.introduction_markdown, profile.about_markdown]);
    return await toWritten(tx, deps, agent.id, "profile.save", id);
  },
};

/** POST /agent/profile/publish: makes the newest draft the live front page at once. */
export const publishProfile: WriteKind<{ revisionId: string | null }, ProfileSubject> = {
  ...subject,
  keyed: "always",
  versioned: true,
  async prepare(_deps, _caller, body) {
    return requireValue(parseProfilePublishRequest(body));
  },
  async perform(tx, deps, agent, { revisionId }) {
    const id = revisionId ?? agent.latest_profile_id;
    if (id === null) throw noDraft();
    const draft = await findProfileById(tx, id);
    if (draft === null || draft.agent_id !== agent.id) throw notYours("profile revision");
    const profile = readProfile(draft.profile);
    checkProfilePublication(
      { id: draft.id, state: draft.state, profile },
      agent.latest_profile_id,
      throwAtOnce,
    );
    await publishProfileDraft(tx, agent.id, draft.id, deps.now());
    await writeAgentSearchText(tx, agent, profile);
    const written = await toWritten(tx, deps, agent.id, "profile.publish", draft.id);
    const slugs = profile.sections.map((section) => section.slug);
    await orderWork(tx, deps, toFeedJobs(feedKeysOf(agent.id, slugs)));
    return written;
  },
};

async function toWritten(tx: Tx, deps: Deps, agentId: string, action: string, id: string): Promise<Written> {
  const data = await presentProfile(deps, tx, agentId);
  return {
    status: 200,
    data,
    lockVersion: data.lock_version,
    act: { action, subjectKind: "profile_revision", subjectId: id, agentId },
  };
}
