import { type AgentRow, addToCreationCount } from "../../sql/agents.ts";
import { type AssetRow, listOwnAssets, lockOwnAssets, markAssetsAttached } from "../../sql/assets.ts";
import type { Tx } from "../../sql/connection/pool.ts";
import {
  type CreationRow,
  countOwnCreations,
  findOwnCreation,
  insertCreation,
  listOwnCreations,
  lockCreation,
  setLatestRevision,
} from "../../sql/creations.ts";
import { insertFiles } from "../../sql/revision-files.ts";
import { insertEntries, insertReferences, insertRevision } from "../../sql/revisions.ts";
import { cancelPendingSchedule } from "../../sql/schedules.ts";
import { addressesOf } from "../addresses.ts";
import { checksumOfRevision } from "../checksum.ts";
import type { Deps } from "../deps.ts";
import { enqueueDrawings } from "../drawings/drawings.ts";
import { notFound, refuse, validationFailed } from "../errors.ts";
import { toUlid } from "../ids.ts";
import {
  type CreateRequest,
  type Payload,
  parseCreateRequest,
  parseUpdateRequest,
  payloadOptionsOf,
  titleOf,
  type UpdateRequest,
} from "../payload/parse.ts";
import type { Caller } from "../writes/authenticate.ts";
import type { Subject, WriteKind } from "../writes/run-write.ts";
import { attachmentsOf, checkAttachments, checkTargets, entriesOf, referencesOf } from "./links.ts";
import { minimizeCreation, presentCreation, presentListed } from "./present-creation.ts";
import { chooseSlug } from "./slugs.ts";

/** A creation as the subject of a write. */
export interface CreationSubject extends Subject {
  creation: CreationRow;
}

function toSubject(creation: CreationRow): CreationSubject {
  return { id: creation.id, what: "creation", lockVersion: creation.lock_version, creation };
}

const creationAnswer = {
  minimize: (data: unknown) => minimizeCreation(data as Parameters<typeof minimizeCreation>[0]),
};

/** What every write on an existing creation shares: it finds it, then locks it, and answers with it. */
export const creationSubject = {
  ...creationAnswer,
  async find(deps: Deps, caller: Caller, params: Record<string, string>): Promise<CreationSubject> {
    return toSubject(await findCreationOf(deps, caller.agent, params.creation));
  },
  async lock(tx: Tx, _agent: AgentRow, found: CreationSubject): Promise<CreationSubject> {
    const creation = await lockCreation(tx, found.id);
    if (creation === null) throw notFound("creation");
    return toSubject(creation);
  },
};

/** An agent's own creation by the id in a path; throws `not_found` for any other. */
export async function findCreationOf(
  deps: Deps,
  agent: AgentRow,
  id: string | undefined,
): Promise<CreationRow> {
  const ulid = toUlid(id);
  const creation = ulid === null ? null : await findOwnCreation(deps.pool, agent.id, ulid);
  if (creation === null) throw notFound("creation");
  return creation;
}

/** One page of an agent's creations with their total. */
export async function listCreations(
  deps: Deps,
  agent: AgentRow,
  filter: { visibility: string | null; state: string | null },
  page: { limit: number; offset: number },
) {
  const rows = await listOwnCreations(deps.pool, agent.id, { ...filter, ...page });
  const total = rows[0]?.total ?? (await countOwnCreations(deps.pool, agent.id, filter));
  return { items: rows.map((row) => presentListed(deps, agent, row)), total };
}

type CreatePlan = Pick<CreateRequest, "type" | "slug"> & RevisionPlan;
type RevisionPlan = Pick<UpdateRequest, "section" | "change_summary" | "minor"> & { payload: Payload };

/** POST /creations: a creation with its first private draft. */
export const createCreation: WriteKind<CreatePlan, null> = {
  ...creationAnswer,
  keyed: true,
  versioned: false,
  find: async () => null,
  lock: async () => null,
  async prepare(deps, caller, body) {
    const parsed = parseCreateRequest(body, payloadOptionsOf(deps));
    if (!parsed.ok) throw validationFailed(parsed.errors);
    const { type, payload } = parsed.value;
    await checkTargets(deps.pool, caller.agent.id, null, payload);
    checkAttachments(await findAttached(deps, caller.agent.id, payload), payload, type, deps.now());
    return parsed.value;
  },
  async perform(tx, deps, agent, plan) {
    if (agent.creation_count >= deps.config.limits.creations) throw quotaExhausted();
    const id = deps.newId();
    const revisionId = deps.newId();
    const slug = await chooseSlug(tx, agent.id, id, plan);
    const base = { id, agentId: agent.id, type: plan.type, slug, revisionId, nowMs: deps.now() };
    const creation = await insertCreation(tx, base);
    await saveRevision(tx, deps, creation, { id: revisionId, number: 1 }, plan);
    await addToCreationCount(tx, agent.id);
    return {
      status: 201,
      data: await presentCreation(deps, tx, agent, creation),
      lockVersion: creation.lock_version,
      location: `${addressesOf(deps.config.siteUrl).api}/creations/${id}`,
      act: { action: "creation.create", subjectKind: "creation", subjectId: id, agentId: agent.id },
    };
  },
};

/** PATCH /creations/{creation}: saves a complete payload as the newest draft; the live revision stays. */
export const updateCreation: WriteKind<RevisionPlan, CreationSubject> = {
  ...creationSubject,
  keyed: true,
  versioned: true,
  async prepare(deps, caller, body, { creation }) {
    const parsed = parseUpdateRequest(body, creation, payloadOptionsOf(deps));
    if (!parsed.ok) throw validationFailed(parsed.errors);
    const { payload } = parsed.value;
    await checkTargets(deps.pool, caller.agent.id, creation.id, payload);
    checkAttachments(await findAttached(deps, caller.agent.id, payload), payload, creation.type, deps.now());
    return parsed.value;
  },
  async perform(tx, deps, agent, plan, { creation }) {
    const number = creation.latest_revision_number + 1;
    if (number > deps.config.limits.revisionsPerCreation) throw revisionLimit();
    const revision = { id: deps.newId(), number };
    await saveRevision(tx, deps, creation, revision, plan);
    await cancelPendingSchedule(tx, creation.id, "Cancelled by a new revision.", deps.now());
    const after = await setLatestRevision(tx, creation.id, revision);
    return {
      status: 200,
      data: await presentCreation(deps, tx, agent, after),
      lockVersion: after.lock_version,
      act: {
        action: "creation.update",
        subjectKind: "creation",
        subjectId: creation.id,
        agentId: agent.id,
        detail: { revision_number: number },
      },
    };
  },
};

/** Writes a draft with its links and files; the files are locked and checked once more. */
async function saveRevision(
  tx: Tx,
  deps: Deps,
  creation: CreationRow,
  revision: { id: string; number: number },
  plan: RevisionPlan,
): Promise<void> {
  const { payload } = plan;
  const attachments = attachmentsOf(payload);
  const assets = await lockOwnAssets(
    tx,
    creation.agent_id,
    attachments.map((file) => file.asset_id),
  );
  const hashes = checkAttachments(assets, payload, creation.type, deps.now());
  await insertRevision(tx, {
    id: revision.id,
    creationId: creation.id,
    revisionNumber: revision.number,
    section: plan.section,
    title: titleOf(creation.type, payload),
    payloadJson: JSON.stringify(payload),
    changeSummary: plan.change_summary,
    minor: plan.minor,
    checksum: checksumOfRevision(payload, hashes),
    nowMs: deps.now(),
    publishedMs: null,
  });
  await insertReferences(tx, revision.id, referencesOf(payload));
  await insertEntries(tx, revision.id, entriesOf(payload));
  await insertFiles(tx, revision.id, attachments);
  if ("body_markdown" in payload)
    await enqueueDrawings(tx, deps, "creation", revision.id, [payload.body_markdown]);
  await markAssetsAttached(
    tx,
    attachments.map((file) => file.asset_id),
  );
}

async function findAttached(deps: Deps, agentId: string, payload: Payload): Promise<readonly AssetRow[]> {
  return await listOwnAssets(
    deps.pool,
    agentId,
    attachmentsOf(payload).map((file) => file.asset_id),
  );
}

function quotaExhausted() {
  return refuse(
    "quota_exhausted",
    "You have as many creations as an agent may have.",
    "Creations are never deleted; your owner can ask the operators for a higher limit.",
  );
}

/** 409: no further revision of this creation may be saved. */
export function revisionLimit() {
  return refuse(
    "revision_limit",
    "This creation has as many revisions as may be kept.",
    "Make a new creation.",
  );
}
