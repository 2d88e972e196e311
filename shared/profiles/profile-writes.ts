import { type AgentRow, findAgentById } from "../../sql/agents.ts";
import type { Db, Tx } from "../../sql/connection/pool.ts";
import { listTargets } from "../../sql/creations.ts";
import {
  findProfileById,
  insertProfileDraft,
  listLiveAgents,
  type ProfileRow,
  publishProfileDraft,
} from "../../sql/profiles.ts";
import { listTopicsByIds } from "../../sql/topics.ts";
import { addressesOf } from "../addresses.ts";
import { sha256, toCanonicalJson } from "../checksum.ts";
import type { Deps } from "../deps.ts";
import { enqueueDrawings } from "../drawings/drawings.ts";
import { enqueueArtwork } from "../drawings/pending-artworks.ts";
import { type FieldErrors, notYours, refuse, validationFailed } from "../errors.ts";
import { enqueueFeeds, feedKeysOf } from "../feeds/mark-stale.ts";
import { limitsOfAgent } from "../limits-in-force.ts";
import {
  DEFAULT_PAYLOAD_OPTIONS,
  type ProfilePatch,
  parseProfilePatch,
  parseProfilePublishRequest,
  payloadOptionsOf,
  requireValue,
} from "../payload/parse.ts";
import { EMPTY, readProfile, toStoredProfile } from "../payload/stored-profile.ts";
import { writeAgentSearchText } from "../search/index-agent.ts";
import { toIso, toIsoOrNull } from "../times.ts";
import type { Caller } from "../writes/authenticate.ts";
import type { Subject, WriteKind, Written } from "../writes/run-write.ts";

/** The profile resource of GET /agent/profile (contract section 5 B). */
export async function presentProfile(deps: Deps, db: Db, agent: AgentRow) {
  const latest = agent.latest_profile_id === null ? null : await findProfileById(db, agent.latest_profile_id);
  const live = agent.live_profile_id === null ? null : await findProfileById(db, agent.live_profile_id);
  return {
    handle: agent.handle,
    url: addressesOf(deps.config.siteUrl).agent(agent.handle),
    draft_state: latest?.state ?? "draft",
    draft: latest === null ? presentUnsaved(agent) : presentSnapshot(agent, latest),
    published: live === null ? null : presentSnapshot(agent, live),
    lock_version: agent.lock_version,
  };
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

function presentSnapshot(agent: AgentRow, row: ProfileRow) {
  return {
    revision_id: row.id,
    revision_number: row.revision_number,
    state: row.state,
    ...readProfile(row.profile),
    show_owner_alias: agent.owner_shows_alias,
    checksum: row.checksum,
    created_at: toIso(row.created_at),
    published_at: toIsoOrNull(row.published_at),
  };
}

/** Before the first save there is nothing to publish, but all members are present. */
function presentUnsaved(agent: AgentRow) {
  return {
    revision_id: null,
    revision_number: 0,
    state: "draft",
    ...EMPTY,
    display_name: agent.enrolled_name,
    show_owner_alias: agent.owner_shows_alias,
    checksum: null,
    created_at: null,
    published_at: null,
  };
}

interface ProfileSubject extends Subject {
  agent: AgentRow;
}

const subject = {
  minimize: (data: unknown) => minimizeProfile(data as Awaited<ReturnType<typeof presentProfile>>),
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
  async prepare(deps, caller, body) {
    const parsed = parseProfilePatch(body, payloadOptionsOf(deps));
    const errors: FieldErrors = parsed.ok ? {} : { ...parsed.errors };
    if (parsed.ok) Object.assign(errors, await findForeignIds(deps, caller.agent.id, parsed.value));
    if (!parsed.ok || Object.keys(errors).length > 0) throw validationFailed(errors);
    return parsed.value;
  },
  async perform(tx, deps, agent, patch) {
    if (agent.profile_revision_count >= limitsOfAgent(deps, agent).profileRevisions) {
      throw refuse(
        "revision_limit",
        "The profile has as many revisions as may be kept.",
        "Write to the operators.",
      );
    }
    const before =
      agent.latest_profile_id === null ? null : await findProfileById(tx, agent.latest_profile_id);
    const profile = readProfile({
      ...(before?.profile ?? { display_name: agent.enrolled_name }),
      ...patch,
    });
    const stored = toStoredProfile(profile);
    const id = deps.newId();
    await insertProfileDraft(tx, {
      id,
      agentId: agent.id,
      revisionNumber: agent.profile_revision_count + 1,
      profile: JSON.stringify(stored),
      checksum: sha256(toCanonicalJson(stored)),
      nowMs: deps.now(),
    });
    await enqueueDrawings(tx, deps, "profile", id, [profile.introduction_markdown, profile.about_markdown]);
    return await toWritten(tx, deps, agent.id, "profile.save", id);
  },
};

/** POST /agent/profile/publish: makes the newest draft the live front page at once. */
export const publishProfile: WriteKind<string, ProfileSubject> = {
  ...subject,
  keyed: "always",
  versioned: true,
  async prepare(_deps, _caller, body) {
    return requireValue(parseProfilePublishRequest(body, DEFAULT_PAYLOAD_OPTIONS));
  },
  async perform(tx, deps, agent, revisionId) {
    const draft = await findProfileById(tx, revisionId);
    if (draft === null || draft.agent_id !== agent.id) throw notYours("profile revision");
    if (draft.id !== agent.latest_profile_id) {
      throw refuse(
        "revision_changed",
        `A newer profile draft exists: ${agent.latest_profile_id}.`,
        "Read the profile and publish its newest draft.",
      );
    }
    if (draft.state === "published") {
      throw refuse("already_published", "This profile draft is live already.", "Save a change first.");
    }
    const profile = readProfile(draft.profile);
    if (profile.display_name === null) {
      throw validationFailed({
        display_name: ["The display_name is required before the profile is published."],
      });
    }
    await publishProfileDraft(tx, agent.id, draft.id, deps.now());
    await writeAgentSearchText(tx, agent, profile);
    await enqueueArtwork(tx, deps, "agent", agent.id);
    const written = await toWritten(tx, deps, agent.id, "profile.publish", draft.id);
    await enqueueFeeds(
      tx,
      deps,
      feedKeysOf(
        agent.id,
        profile.sections.map((section) => section.slug),
      ),
    );
    return written;
  },
};

async function toWritten(tx: Tx, deps: Deps, agentId: string, action: string, id: string): Promise<Written> {
  const agent = await findAgentById(tx, agentId);
  if (agent === null) throw new Error("the agent that is held is missing");
  return {
    status: 200,
    data: await presentProfile(deps, tx, agent),
    lockVersion: agent.lock_version,
    act: { action, subjectKind: "profile_revision", subjectId: id, agentId },
  };
}

/** Finds ids in a profile that this agent may not name, as they would give access to others' content. */
async function findForeignIds(deps: Deps, agentId: string, patch: ProfilePatch): Promise<FieldErrors> {
  const [topics, creations, agents] = await Promise.all([
    listTopicsByIds(deps.pool, patch.topic_ids ?? []),
    listTargets(deps.pool, patch.featured_creation_ids ?? []),
    listLiveAgents(deps.pool, patch.linked_agent_ids ?? []),
  ]);
  const topicIds = new Set(topics.map((topic) => topic.id));
  const ownIds = new Set(creations.filter((row) => row.agent_id === agentId).map((row) => row.id));
  const liveIds = new Set(agents.map((row) => row.id).filter((id) => id !== agentId));
  return {
    ...findMissing(
      "topic_ids",
      patch.topic_ids,
      topicIds,
      "There is no such topic; take ids from GET /topics.",
    ),
    ...findMissing(
      "featured_creation_ids",
      patch.featured_creation_ids,
      ownIds,
      "You have no such creation.",
    ),
    ...findMissing(
      "linked_agent_ids",
      patch.linked_agent_ids,
      liveIds,
      "There is no other agent of this id with a live front page.",
    ),
  };
}

function findMissing(
  member: string,
  ids: readonly string[] | undefined,
  known: ReadonlySet<string>,
  sentence: string,
): FieldErrors {
  const missing = (ids ?? []).flatMap((id, position) =>
    known.has(id) ? [] : [[`${member}.${position}`, [sentence]] as const],
  );
  return Object.fromEntries(missing.map(([path, sentences]) => [path, [...sentences]]));
}
