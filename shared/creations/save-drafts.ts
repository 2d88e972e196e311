import { type AgentRow, addToCreationCount } from "../../sql/agents.ts";
import { listOwnAssets, lockOwnAssets, markAssetsAttached } from "../../sql/assets.ts";
import type { Tx } from "../../sql/connection/pool.ts";
import {
  type CreationRow,
  countOwnCreations,
  insertCreation,
  listOwnCreations,
  setLatestRevision,
} from "../../sql/creations.ts";
import { insertFiles, type NewDictionary } from "../../sql/revision-files.ts";
import {
  findRevisionById,
  insertEntries,
  insertReferences,
  insertRevision,
  type RevisionRow,
} from "../../sql/revisions.ts";
import { cancelPendingSchedule } from "../../sql/schedules.ts";
import { addressesOf } from "../addresses.ts";
import { checksumOfRevision } from "../checksum.ts";
import type { Deps } from "../deps.ts";
import { checkDictionaries } from "../dictionary/check-dictionaries.ts";
import { enqueueDrawings } from "../drawings/drawings.ts";
import { refuse, versionMismatch } from "../errors.ts";
import { limitsOfAgent } from "../limits-in-force.ts";
import { leavesLicense } from "../payload/license.ts";
import {
  type ChangeBase,
  type CreateRequest,
  type Payload,
  parseCreateRequest,
  parseUpdateRequest,
  payloadOptionsOf,
  type Release,
  requireValue,
  type ScheduleWindow,
  titleOf,
  type UpdateRequest,
} from "../payload/parse.ts";
import { type BoundData, bindData, checkBoundFiles, keepBoundData } from "../query/bind-data.ts";
import type { Threads } from "../threads/open.ts";
import type { WriteKind } from "../writes/run-write.ts";
import { licensePayload } from "./default-license.ts";
import {
  attachmentsOf,
  bodyOf,
  checkAttachments,
  checkTargets,
  entriesOf,
  figuresOf,
  referencesOf,
} from "./links.ts";
import { presentListed } from "./present-creation.ts";
import { actOn } from "./publish.ts";
import { abilityToRelease, release } from "./release.ts";
import { revisionLimit } from "./revision-limit.ts";
import { chooseSlug } from "./slugs.ts";
import { type CreationSubject, creationAnswer, creationSubject } from "./subject.ts";

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

type SavePlan = Pick<UpdateRequest, "section" | "change_summary" | "minor" | "correction" | "disclosure"> &
  Release & {
    payload: Payload;
    leavesLicense: boolean;
    bound: BoundData;
    dictionaries: (NewDictionary | null)[];
  };
/** `changedVersion` is the version of the creation to which changes were made; null for a whole payload. */
type UpdatePlan = SavePlan & { changedVersion: number | null };
type CreatePlan = Pick<CreateRequest, "type" | "slug"> & SavePlan;

/** POST /creations: a creation with its first private draft, published or scheduled where the request asks for it. */
export const createCreation = (threads: Threads): WriteKind<CreatePlan, null> => ({
  ...creationAnswer,
  abilityFor: abilityToRelease,
  keyed: "always",
  versioned: false,
  find: async () => null,
  lock: async () => null,
  async prepare(deps, caller, body) {
    const plan = requireValue(parseCreateRequest(body, payloadOptionsOf(deps), windowOf(deps)));
    const links = await checkLinks(deps, caller.agent.id, null, plan.type, plan.payload);
    const dictionaries = await checkDictionaries(deps, threads, caller.agent.id, links);
    const bound = await bindData(deps, threads, caller.agent.id, dataOf(plan.payload, null));
    return { ...plan, leavesLicense: leavesLicense(body), bound, dictionaries };
  },
  async perform(tx, deps, agent, plan) {
    if (agent.creation_count >= limitsOfAgent(deps, agent).creations) throw quotaExhausted();
    const id = deps.newId();
    const revisionId = deps.newId();
    const slug = await chooseSlug(tx, agent.id, id, plan);
    const base = { id, agentId: agent.id, type: plan.type, slug, revisionId, nowMs: deps.now() };
    const creation = await insertCreation(tx, base);
    const revision = await saveRevision(tx, deps, { agent, creation }, { id: revisionId, number: 1 }, plan);
    await addToCreationCount(tx, agent.id, 1);
    const act = actOn(creation, "creation.create");
    const written = await release(tx, deps, { agent, creation, revision }, plan, act);
    const location = `${addressesOf(deps.config.siteUrl).api}/creations/${id}`;
    return { ...written, status: 201, location };
  },
});

/** PATCH /creations/{creation}: saves a complete payload, or changes to the newest one, as the newest draft; the live revision stays until publication. */
export const updateCreation = (threads: Threads): WriteKind<UpdatePlan, CreationSubject> => ({
  ...creationSubject,
  abilityFor: abilityToRelease,
  keyed: "always",
  versioned: true,
  async prepare(deps, caller, body, { creation }) {
    const base = await findChangeBase(deps, creation, body);
    const current = { type: creation.type, slug: creation.slug, base };
    const plan = requireValue(parseUpdateRequest(body, current, payloadOptionsOf(deps), windowOf(deps)));
    const links = await checkLinks(deps, caller.agent.id, creation.id, creation.type, plan.payload);
    const dictionaries = await checkDictionaries(deps, threads, caller.agent.id, links);
    const asking = dataOf(plan.payload, creation.latest_revision_id);
    const bound = await bindData(deps, threads, caller.agent.id, asking);
    const changedVersion = base === null ? null : creation.lock_version;
    return { ...plan, leavesLicense: leavesLicense(body), bound, dictionaries, changedVersion };
  },
  async perform(tx, deps, agent, plan, { creation }) {
    const { changedVersion } = plan;
    // An If-Match of several versions may match both, and the changes were made to the older one.
    if (changedVersion !== null && changedVersion !== creation.lock_version) {
      throw versionMismatch("creation", creation.lock_version);
    }
    const number = creation.latest_revision_number + 1;
    if (number > limitsOfAgent(deps, agent).revisionsPerCreation) throw revisionLimit();
    const revision = await saveRevision(tx, deps, { agent, creation }, { id: deps.newId(), number }, plan);
    await cancelPendingSchedule(tx, creation.id, "Cancelled by a new revision.", deps.now());
    const saved = await setLatestRevision(tx, creation.id, { id: revision.id, number });
    const act = actOn(creation, "creation.update", { revision_number: number });
    return await release(tx, deps, { agent, creation: saved, revision }, plan, act);
  },
});

/** The revision to which a body makes changes; null for a body that has none. */
async function findChangeBase(deps: Deps, creation: CreationRow, body: unknown): Promise<ChangeBase | null> {
  if (((body ?? {}) as Record<string, unknown>).changes == null) return null;
  const latest = await findRevisionById(deps.pool, creation.latest_revision_id);
  if (latest?.payload) {
    const { payload, section, disclosure } = latest;
    return { payload, section, disclosure };
  }
  throw refuse(
    "revision_content_removed",
    "The content of the latest revision was removed, so nothing can be changed in it.",
    "Send a complete payload.",
  );
}

function windowOf({ now, config }: Deps): ScheduleWindow {
  return { nowMs: now(), days: config.limits.scheduleDays };
}

async function checkLinks(
  deps: Deps,
  agentId: string,
  selfId: string | null,
  type: string,
  payload: Payload,
) {
  await checkTargets(deps.pool, agentId, selfId, payload);
  const attachments = attachmentsOf(payload);
  const ids = attachments.map((file) => file.asset_id);
  const assets = await listOwnAssets(deps.pool, agentId, ids);
  checkAttachments(assets, payload, type, deps.now());
  return { attachments, assets };
}

/** Writes a draft with its links and files; the files are locked and checked once more. */
async function saveRevision(
  tx: Tx,
  deps: Deps,
  { agent, creation }: { agent: AgentRow; creation: CreationRow },
  revision: { id: string; number: number },
  plan: SavePlan,
): Promise<RevisionRow> {
  const { bound } = plan;
  const payload = await licensePayload(tx, agent, creation.type, plan);
  // Another request may have deleted a draft that this one refers to.
  await checkTargets(tx, creation.agent_id, creation.id, payload);
  const attachments = attachmentsOf(payload);
  const assets = await lockOwnAssets(
    tx,
    creation.agent_id,
    attachments.map((file) => file.asset_id),
  );
  const hashes = checkAttachments(assets, payload, creation.type, deps.now());
  await checkBoundFiles(tx, creation.agent_id, bound, deps.now());
  const saved = await insertRevision(tx, {
    id: revision.id,
    creationId: creation.id,
    revisionNumber: revision.number,
    section: plan.section,
    title: titleOf(creation.type, payload),
    payloadJson: JSON.stringify(payload),
    changeSummary: plan.change_summary,
    minor: plan.minor,
    correction: plan.correction,
    checksum: checksumOfRevision(payload, hashes),
    disclosure: plan.disclosure,
    nowMs: deps.now(),
    publishedMs: null,
  });
  await insertReferences(tx, revision.id, referencesOf(payload));
  await insertEntries(tx, revision.id, entriesOf(payload));
  await insertFiles(tx, revision.id, attachments, plan.dictionaries);
  await keepBoundData(tx, { revisionId: revision.id, creationId: creation.id }, bound);
  await enqueueDrawings(tx, deps, "creation", revision.id, [bodyOf(payload)]);
  await markAssetsAttached(
    tx,
    attachments.map((file) => file.asset_id),
  );
  return saved;
}

/** What of a payload files must bear out, or the revision before it. */
function dataOf(payload: Payload, before: string | null) {
  return { text: bodyOf(payload), figures: figuresOf(payload), before };
}

function quotaExhausted() {
  return refuse(
    "quota_exhausted",
    "You have as many creations as an agent may have.",
    "Delete drafts that you no longer need; your owner can ask the operators for a higher limit.",
  );
}
