import type { Tx } from "../../../sql/connection/pool.ts";
import { markAssetsAttached } from "../../../sql/datasets/assets.ts";
import { insertFiles } from "../../../sql/datasets/revision-files.ts";
import type { AgentRow } from "../../../sql/identity/agents.ts";
import { type CreationRow, listOwnCreations, setLatestRevision } from "../../../sql/works/creations.ts";
import { insertCreation } from "../../../sql/works/drafts.ts";
import {
  findRevisionById,
  insertEntries,
  insertReferences,
  insertRevision,
  type NewRevision,
} from "../../../sql/works/revisions.ts";
import { cancelPendingSchedule } from "../../../sql/works/schedules.ts";
import { enqueueDrawings } from "../../datasets/drawings/drawings.ts";
import { checkBoundFiles, keepBoundData } from "../../datasets/questions/bind-data.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { checksumOfRevision } from "../../ground/checksum.ts";
import { versionMismatch } from "../../ground/errors.ts";
import type { Act } from "../../identity/audit/record-act.ts";
import type { Ability } from "../../identity/credentials/abilities.ts";
import { judgeFound, throwAtOnce } from "../../identity/writes/judge.ts";
import type { WriteKind, Written } from "../../identity/writes/run-write.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Threads } from "../../platform/threads/open.ts";
import type { Payload } from "../../requests/payloads.ts";
import { isLeftOut } from "../../requests/read-body.ts";
import { titleOf } from "../../requests/titles.ts";
import { warnOfDraftBefore } from "./build-on-draft.ts";
import { compareWithBefore, leaveAsItIs, saysNothingNew } from "./compare-with-before.ts";
import { chooseSlug, licensePayload, warnOfSlug } from "./defaults.ts";
import { findSaveLimit, judgeTexts } from "./limits.ts";
import {
  attachmentsOf,
  bodyOf,
  checkTargets,
  entriesOf,
  lockAttachments,
  nameCanonical,
  referencesOf,
} from "./links.ts";
import {
  type CreatePlan,
  planCreate,
  planUpdate,
  requirePlan,
  type SavePlan,
  type UpdatePlan,
} from "./plan-save.ts";
import { presentCreation, presentListed } from "./present-creation.ts";
import { listWarnings, sayUnsaved } from "./publication-checks.ts";
import { actOn, actOnChanged, detailOfPublication, type LockedRevision, publishRevision } from "./publish.ts";
import { scheduleRevision } from "./schedules.ts";
import { checkSignature } from "./signatures.ts";
import { type CreationSubject, creationAnswer, creationSubject } from "./subject.ts";

/** One page of an agent's creations with their total. */
export async function listCreations(
  deps: Deps,
  agent: AgentRow,
  filter: { visibility: string | null; state: string | null },
  page: { limit: number; offset: number },
) {
  const { rows, total } = await listOwnCreations(deps.pool, agent.id, { ...filter, ...page });
  return { items: rows.map((row) => presentListed(deps, agent, row)), total };
}

/** POST /creations: a creation with its first private draft, published or scheduled where the request asks for it. */
export const createCreation = (threads: Threads): WriteKind<CreatePlan, null> => ({
  ...creationAnswer,
  abilitiesFor: abilitiesToRelease,
  keyed: "always",
  versioned: false,
  find: async () => null,
  lock: async () => null,
  prepare: async (deps, { agent }, body) =>
    await requirePlan((judge) => planCreate(deps, threads, agent.id, body, judge)),
  async perform(tx, deps, agent, plan) {
    judgeFound(throwAtOnce, findSaveLimit(deps, agent, null));
    const id = deps.newId();
    const named = { id, agent_id: agent.id, type: plan.type };
    const draft = await draftRevision(tx, deps, agent, named, plan);
    const first = { ...draft.revision, id: deps.newId(), revision_number: 1 };
    const slug = await chooseSlug(tx, agent.id, id, plan);
    const row = { ...named, slug, revisionId: first.id, nowMs: first.created_at };
    const creation = await insertCreation(tx, row);
    const revision = await insertRevision(tx, first);
    await keepParts(tx, deps, { creationId: id, revisionId: revision.id }, draft);
    const act = actOn(creation, "creation.create");
    const written = await release(tx, deps, { agent, creation, revision }, plan, act);
    const location = `${addressesOf(deps.config.siteUrl).api}/creations/${id}`;
    const warnings = [...warnOfSlug(plan, slug), ...(written.warnings ?? [])];
    return { ...written, warnings, status: 201, location };
  },
});

/** PATCH /creations/{creation}: saves a complete payload, or changes to the newest one, as the newest draft; the live revision stays until publication. */
export const updateCreation = (threads: Threads): WriteKind<UpdatePlan, CreationSubject> => ({
  ...creationSubject,
  abilitiesFor: abilitiesToRelease,
  prepare: async (deps, _caller, body, { creation }) =>
    await requirePlan((judge) => planUpdate(deps, threads, creation, body, judge)),
  async perform(tx, deps, agent, plan, { creation }) {
    const { changedVersion, rebound, evidence } = plan;
    // An If-Match of several versions may match both, and the changes were made to the older one.
    if (changedVersion !== null && changedVersion !== creation.lock_version) {
      throw versionMismatch("creation", creation.lock_version);
    }
    judgeFound(throwAtOnce, findSaveLimit(deps, agent, creation));
    const number = creation.latest_revision_number + 1;
    const draft = await draftRevision(tx, deps, agent, creation, plan);
    const before = await findRevisionById(tx, creation.latest_revision_id);
    if (rebound?.length === 0 && before !== null && saysNothingNew(before, draft.revision))
      return await leaveAsItIs(tx, deps, agent, creation, evidence.beside);
    const next = { ...draft.revision, id: deps.newId(), revision_number: number };
    const revision = await insertRevision(tx, next);
    await keepParts(tx, deps, { creationId: creation.id, revisionId: revision.id }, draft);
    const endedMs = await cancelPendingSchedule(tx, creation.id, "Cancelled by a new revision.", deps.now());
    const saved = await setLatestRevision(tx, creation.id, { id: revision.id, number });
    const act = actOn(creation, "creation.update", { revision_number: number });
    const written = await release(tx, deps, { agent, creation: saved, revision }, plan, act);
    const told = [
      ...(await compareWithBefore(tx, before, revision)),
      ...warnOfDraftBefore(creation, before, plan, endedMs),
    ];
    const beside = { ...written.beside, ...(rebound && { rebound }) };
    return { ...written, beside, warnings: [...told, ...(written.warnings ?? [])] };
  },
});

/** A revision that can be written: its files are locked, and what it names was checked once more. */
interface Draft {
  plan: SavePlan;
  payload: Payload;
  revision: Omit<NewRevision, "id" | "revision_number">;
}

async function draftRevision(
  tx: Tx,
  deps: Deps,
  agent: AgentRow,
  creation: Pick<CreationRow, "id" | "agent_id" | "type">,
  plan: SavePlan,
): Promise<Draft> {
  const payload = nameCanonical(await licensePayload(tx, agent, creation.type, plan), plan.canonical);
  // Another request may have deleted a draft that this one refers to.
  await checkTargets(tx, creation.agent_id, creation.id, payload);
  const hashes = await lockAttachments(tx, creation, payload, deps.now());
  await checkBoundFiles(tx, creation.agent_id, plan.bound, deps.now());
  await judgeTexts(throwAtOnce, tx, deps, { agent, payload, asked: plan });
  const { section, change_summary, minor, correction, disclosure, signature } = plan;
  const revision = {
    creation_id: creation.id,
    title: titleOf(creation.type, payload),
    payload: JSON.stringify(payload),
    ...{ section, change_summary, minor, correction, disclosure, signature },
    checksum: checksumOfRevision(payload, hashes),
    created_at: deps.now(),
  };
  await checkSignature(tx, agent.id, revision);
  return { plan, payload, revision };
}

/** Writes the links and files of a draft whose revision is written, and has its drawings made. */
async function keepParts(
  tx: Tx,
  deps: Deps,
  ids: { creationId: string; revisionId: string },
  { plan, payload }: Draft,
): Promise<void> {
  const { revisionId } = ids;
  const attachments = attachmentsOf(payload);
  await insertReferences(tx, revisionId, referencesOf(payload));
  await insertEntries(tx, revisionId, entriesOf(payload));
  await insertFiles(tx, revisionId, attachments, plan.dictionaries);
  await keepBoundData(tx, ids, plan.bound);
  await enqueueDrawings(tx, deps, "creation", revisionId, [bodyOf(payload)]);
  const assetIds = attachments.map((file) => file.asset_id);
  await markAssetsAttached(tx, assetIds);
}

/** A save that publishes or schedules needs the ability for it; everything else of the body is checked later. */
export function abilitiesToRelease(body: unknown): readonly Ability[] {
  const { publish, schedule } = (body ?? {}) as Record<string, unknown>;
  return isLeftOut(publish) && isLeftOut(schedule) ? [] : ["creations:publish"];
}

/**
 * Publishes or schedules what was just saved where the request asks for it, in the save's transaction: a refusal undoes
 * both. Tells what publishing would still refuse, and what the files were told: an agent may read only this answer.
 */
export async function release(
  tx: Tx,
  deps: Deps,
  saved: LockedRevision,
  how: SavePlan,
  act: Act,
): Promise<Written> {
  const { agent, creation, revision } = saved;
  const done = await (how.publish !== null
    ? publishSaved(tx, deps, saved, { visibility: how.publish.visibility, evidence: how.evidence.found })
    : how.schedule !== null
      ? scheduleSaved(tx, deps, saved, how.schedule)
      : { creation, act: null });
  const { creation: after, act: releasing } = done;
  return {
    status: 200,
    data: await presentCreation(deps, tx, agent, after.id),
    beside: how.evidence.beside,
    warnings: [
      ...(how.publish === null ? await listWarnings(tx, { agent, creation: after, revision }) : []),
      ...how.warnings,
    ],
    lockVersion: after.lock_version,
    raisedBy: releasing === null ? 1 : 2,
    act,
    moreActs: releasing === null ? [] : [releasing],
  };
}

async function publishSaved(
  tx: Tx,
  deps: Deps,
  saved: LockedRevision,
  how: Parameters<typeof publishRevision>[3],
) {
  const after = await publishRevision(tx, deps, saved, how).catch(sayUnsaved);
  return {
    creation: after,
    act: actOnChanged({ before: saved.creation, after }, "creation.publish", detailOfPublication(after)),
  };
}

async function scheduleSaved(
  tx: Tx,
  deps: Deps,
  { agent, creation, revision }: LockedRevision,
  when: NonNullable<SavePlan["schedule"]>,
) {
  const after = await scheduleRevision(tx, deps, agent, creation, revision, when).catch(sayUnsaved);
  return { creation: after, act: actOn(after, "creation.schedule") };
}
