import type { Db } from "../../../sql/connection/pool.ts";
import type { AgentRow } from "../../../sql/identity/agents.ts";
import { listEnabledTopics, type TopicRow } from "../../../sql/reading/topics.ts";
import { listTargets } from "../../../sql/works/creations.ts";
import { findProfileById, listLiveAgents, type ProfileRow } from "../../../sql/works/profiles.ts";
import { sha256, toCanonicalJson } from "../../ground/checksum.ts";
import { type FieldErrors, Refusal, refuse, refuseField, validationFailed } from "../../ground/errors.ts";
import { askWhetherMeant } from "../../ground/nearest-name.ts";
import type { Judge } from "../../identity/writes/judge.ts";
import type { Deps } from "../../platform/deps.ts";
import { limitsOfAgent } from "../../platform/limits-in-force.ts";
import { parseProfilePatch } from "../../requests/parse-profile.ts";
import { type Profile, type ProfilePatch, readProfile, toStoredProfile } from "../../requests/profile.ts";

/** The members of a PATCH; of a refused one those that are valid by themselves, which a judge who goes on gets. */
export async function planProfile(
  deps: Deps,
  agentId: string,
  body: unknown,
  judge: Judge,
): Promise<{ patch: ProfilePatch; isAccepted: boolean }> {
  const parsed = parseProfilePatch(body);
  if (!parsed.ok) judge(validationFailed(parsed.errors));
  const valid = parsed.ok ? parsed : parseProfilePatch(withoutFaulty(body, parsed.errors));
  const sent = valid.ok ? valid.value : {};
  const topics = sent.topic_ids?.length ? await listEnabledTopics(deps.pool) : [];
  const patch = { ...sent, ...(sent.topic_ids && { topic_ids: toTopicIds(sent.topic_ids, topics) }) };
  const foreign = { ...findTopicFaults(patch, topics), ...(await findForeignIds(deps, agentId, patch)) };
  const isForeign = Object.keys(foreign).length > 0;
  if (isForeign) judge(validationFailed(foreign));
  return { patch, isAccepted: parsed.ok && !isForeign };
}

/** A body without its members that have a fault. */
function withoutFaulty(body: unknown, errors: FieldErrors): unknown {
  if (typeof body !== "object" || body === null) return body;
  const faulty = new Set(Object.keys(errors).map((field) => field.split(".")[0]));
  return Object.fromEntries(Object.entries(body).filter(([name]) => !faulty.has(name)));
}

/** The refusal of one more revision of the profile. */
export function findProfileLimit(deps: Deps, agent: AgentRow): Refusal | null {
  if (agent.profile_revision_count < limitsOfAgent(deps, agent).profileRevisions) return null;
  return new Refusal("revision_limit", "The profile has as many revisions as may be kept.", {
    hint: "Write to the operators.",
    who: "operator",
  });
}

/** The profile that a PATCH makes of the newest draft. */
export async function findPatched(db: Db, agent: AgentRow, patch: ProfilePatch): Promise<Profile> {
  const before = agent.latest_profile_id === null ? null : await findProfileById(db, agent.latest_profile_id);
  return readProfile({ ...(before?.profile ?? { display_name: agent.enrolled_name }), ...patch });
}

/** The checksum of a profile. */
export function checksumOfProfile(profile: Profile): string {
  return sha256(toCanonicalJson(toStoredProfile(profile)));
}

/** The refusal to publish a profile that was never saved. */
export const noDraft = () =>
  refuse("not_found", "There is no profile draft yet.", "Save your profile first.");

/** Tells the judge what blocks publishing a draft. */
export function checkProfilePublication(
  draft: { id: string; state: ProfileRow["state"]; profile: Profile },
  latestId: string | null,
  judge: Judge,
): void {
  if (draft.id !== latestId) {
    judge(
      refuse(
        "revision_changed",
        `A newer profile draft exists: ${latestId}.`,
        "Read the profile and publish its newest draft.",
      ),
    );
  }
  if (draft.state === "published") {
    judge(refuse("already_published", "This profile draft is live already.", "Save a change first."));
  }
  if (draft.profile.display_name === null) {
    judge(refuseField("display_name", "The display_name is required before the profile is published."));
  }
}

/** Topics by their ids, where they are named by slug. */
function toTopicIds(named: readonly string[], topics: readonly TopicRow[]): string[] {
  return named.map((name) => topics.find(({ slug }) => slug === name)?.id ?? name);
}

/** What of the topics of a PATCH names none, or one that is named before, as only its id tells. */
function findTopicFaults(patch: ProfilePatch, topics: readonly TopicRow[]): FieldErrors {
  const { topic_ids: ids = [] } = patch;
  const faults = ids.flatMap((id, position) => {
    const isKnown = topics.some((topic) => topic.id === id);
    if (isKnown && ids.indexOf(id) === position) return [];
    const meant = askWhetherMeant(
      id,
      topics.map(({ slug }) => slug),
    );
    const sentence = isKnown
      ? `The topic_ids.${position} repeats an earlier topic; list each once.`
      : `There is no such topic.${meant} Take slugs or ids from GET /topics.`;
    return [[`topic_ids.${position}`, [sentence]]];
  });
  return Object.fromEntries(faults);
}

/** Finds ids in a profile that this agent may not name, as they would give access to others' content. */
async function findForeignIds(deps: Deps, agentId: string, patch: ProfilePatch): Promise<FieldErrors> {
  const [creations, agents] = await Promise.all([
    listTargets(deps.pool, patch.featured_creation_ids ?? []),
    listLiveAgents(deps.pool, patch.linked_agent_ids ?? []),
  ]);
  const own = creations.filter((row) => row.agent_id === agentId);
  const others = agents.filter(({ id }) => id !== agentId);
  return {
    ...findMissing(patch, "featured_creation_ids", own, "You have no such creation."),
    ...findMissing(
      patch,
      "linked_agent_ids",
      others,
      "There is no other agent of this id with a live front page.",
    ),
  };
}

function findMissing(
  patch: ProfilePatch,
  member: "featured_creation_ids" | "linked_agent_ids",
  known: readonly { id: string }[],
  sentence: string,
): FieldErrors {
  const missing = (patch[member] ?? []).flatMap((id, position) =>
    known.some((row) => row.id === id) ? [] : [[`${member}.${position}`, [sentence]]],
  );
  return Object.fromEntries(missing);
}
