import { type AssetRow, listOwnAssets } from "../../../sql/datasets/assets.ts";
import type { NewDictionary } from "../../../sql/datasets/revision-files.ts";
import type { CreationRow } from "../../../sql/works/creations.ts";
import { findRevisionById } from "../../../sql/works/revisions.ts";
import { checkDictionaries } from "../../datasets/dictionaries/check-dictionaries.ts";
import { reportEvidence, type ToldEvidence } from "../../datasets/evidence/describe-evidence.ts";
import { type BoundData, bindData } from "../../datasets/questions/bind-data.ts";
import { type HintWarning, listHintWarnings } from "../../datasets/uploads/hint-warnings.ts";
import type { CreationType } from "../../ground/creation-types.ts";
import { type Refusal, refuse, validationFailed } from "../../ground/errors.ts";
import { attempt, type Judge, judgeOutcome, throwTogether } from "../../identity/writes/judge.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Threads } from "../../platform/threads/open.ts";
import type { ChangeBase } from "../../requests/changes.ts";
import { leavesLicense } from "../../requests/license.ts";
import type { Release, ScheduleWindow } from "../../requests/parse-publishing.ts";
import {
  type CreateRequest,
  type ReadSave,
  readCreateRequest,
  readUpdateRequest,
  type UpdateRequest,
} from "../../requests/parse-requests.ts";
import type { Payload } from "../../requests/payloads.ts";
import { ownSiteOf } from "../../requests/urls.ts";
import type { ValidMembers } from "../../requests/valid-members.ts";
import { refuseTakenSlug } from "./defaults.ts";
import {
  attachmentField,
  attachmentsOf,
  bodyOf,
  checkAttachments,
  checkTargets,
  figuresOf,
} from "./links.ts";
import type { Rebound } from "./move-payload.ts";
import type { Warning } from "./publication-checks.ts";
import { takeNewest } from "./rebind.ts";
import { adviseKept, nameSwapped, restorePlaces } from "./sent-places.ts";
import { judgeLongText, warnOfUndrawn } from "./text-of-save.ts";

/** What a payload asks of works and files, and what they say. */
export interface Asked {
  /** The SHA-256 of each attached file, in their order. */
  hashes: string[];
  /** The same of the canonical form, where that is what is read of the file. */
  canonical: (string | null)[];
  bound: BoundData;
  /** What the newest data say of it. */
  evidence: ToldEvidence;
  dictionaries: (NewDictionary | null)[];
  /** Tables of the text that are not drawn, and what the attached files were told when they were accepted. */
  warnings: (HintWarning | Warning)[];
}

/** A save whose body has no fault. */
export type SavePlan = Pick<
  UpdateRequest,
  "section" | "change_summary" | "minor" | "correction" | "disclosure" | "signature"
> &
  Release & { payload: Payload; leavesLicense: boolean } & Asked;
/**
 * `changedVersion` is the version of the creation to which changes were made; null for a whole payload. `rebound` is what
 * was moved to the newest data; null where nobody asked for it.
 */
export type UpdatePlan = SavePlan & { changedVersion: number | null; rebound: Rebound[] | null };
export type CreatePlan = Pick<CreateRequest, "type" | "slug"> & SavePlan;

/** What was found in a body: a plan where nothing was refused; what it says in any case, as far as it can be read. */
export interface Planned<Plan> {
  plan: Plan | null;
  valid: ValidMembers;
}

/** The plan of a write; throws every fault of its body at once. */
export async function requirePlan<Plan>(
  plan: (judge: Judge) => Promise<Pick<Planned<Plan>, "plan">>,
): Promise<Plan> {
  const planned = await throwTogether(plan);
  if (planned.plan === null) throw new Error("a body was refused, and its judge threw nothing");
  return planned.plan;
}

/** Reads the body of POST /creations, and asks works and files what it has from them. */
export async function planCreate(
  deps: Deps,
  threads: Threads,
  agentId: string,
  body: unknown,
  judge: Judge,
): Promise<Planned<CreatePlan>> {
  const read = readCreateRequest(body, windowOf(deps), ownSiteOf(deps));
  judgeOutcome(judge, read.outcome);
  const valid = validOf(read);
  const { slug } = valid;
  const isFree = await attempt(judge, async () => {
    if (slug !== null) await refuseTakenSlug(deps.pool, agentId, slug);
    return true;
  });
  const asked = await askFor(deps, threads, { agentId, creation: null, fresh: [] }, valid, judge);
  if (!read.outcome.ok || asked === null || isFree === null) return { plan: null, valid };
  return { plan: { ...read.outcome.value, leavesLicense: leavesLicense(body), ...asked }, valid };
}

/**
 * Reads the body of PATCH /creations/{creation}, and asks works and files what it has from them; `fresh` are files that are
 * recorded with the save.
 */
export async function planUpdate(
  deps: Deps,
  threads: Threads,
  creation: CreationRow,
  body: unknown,
  judge: Judge,
  fresh: readonly AssetRow[] = [],
): Promise<Planned<UpdatePlan>> {
  const needed = await attempt(judge, async () => ({ base: await findChangeBase(deps, creation, body) }));
  const { type, slug, lock_version: version } = creation;
  if (needed === null) {
    const { changes: _, ...envelope } = body as Record<string, unknown>;
    const { valid } = readUpdateRequest(envelope, { type, slug }, windowOf(deps), ownSiteOf(deps));
    return { plan: null, valid: valid() };
  }
  const current = { type, slug, ...needed };
  const read = readUpdateRequest(body, current, windowOf(deps), ownSiteOf(deps));
  judgeOutcome(judge, read.outcome);
  const agentId = creation.agent_id;
  const moved = await takeNewest(deps, threads, agentId, validOf(read), read.rebind ?? null, judge);
  const { valid, rebound } = moved;
  const changes = needed.base === null ? null : (body as Record<string, unknown>).changes;
  const advise = (refusal: Refusal) => (changes === null ? refusal : adviseKept(refusal, changes));
  const told: Judge = (refusal) => judge(nameSwapped(advise(refusal), read.swapped));
  const asked = await askFor(deps, threads, { agentId, creation, fresh }, valid, told);
  if (!read.outcome.ok || asked === null || !moved.isSound) return { plan: null, valid };
  const changedVersion = needed.base === null ? null : version;
  const payload = rebound === null ? read.outcome.value.payload : (valid.payload as Payload);
  const saved = { ...read.outcome.value, payload, leavesLicense: leavesLicense(body) };
  return { plan: { ...saved, ...asked, changedVersion, rebound }, valid };
}

/** The revision to which a body makes changes; null for a body that has none. */
async function findChangeBase(deps: Deps, creation: CreationRow, body: unknown): Promise<ChangeBase | null> {
  if (((body ?? {}) as Record<string, unknown>).changes == null) return null;
  return await getLatest(deps, creation);
}

/** What the latest revision says; throws 409 where its content was removed. */
export async function getLatest(deps: Deps, creation: CreationRow): Promise<ChangeBase> {
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

function validOf<T extends Omit<UpdateRequest, "payload"> & { payload: Payload; slug?: string | null }>({
  outcome,
  valid,
}: ReadSave<T>): ValidMembers {
  if (!outcome.ok) return valid();
  const { publish, schedule } = outcome.value;
  const visibility = (publish ?? schedule)?.visibility ?? null;
  return { slug: null, ...outcome.value, visibility, places: {}, lost: new Set() };
}

/** Asks works and files what a payload has from them; null where something was refused. */
async function askFor(
  deps: Deps,
  threads: Threads,
  { agentId, creation, fresh }: { agentId: string; creation: CreationRow | null; fresh: readonly AssetRow[] },
  valid: ValidMembers,
  caller: Judge,
): Promise<Asked | null> {
  const { type } = valid;
  if (type === null) return null;
  const judge: Judge = (refusal) => caller(restorePlaces(refusal, valid.places));
  // Each part of a payload is looked for by its name, so one that misses refused members will do.
  const payload = valid.payload as Payload;
  const isLinked = await attempt(judge, async () => {
    await checkTargets(deps.pool, agentId, creation?.id ?? null, payload);
    return true;
  });
  const isReadable = await judgeLongText(deps, agentId, bodyOf(payload), judge);
  const files = { type, payload, lost: valid.lost, fresh };
  const described = await askFiles(deps, threads, agentId, files, judge);
  const before = creation?.latest_revision_id ?? null;
  const data = { text: bodyOf(payload), figures: figuresOf(payload), lost: valid.lost, before };
  const bound = await attempt(judge, () => bindData(deps, threads, agentId, data));
  if (!isReadable || isLinked === null || described === null || bound === null) return null;
  const evidence = await reportEvidence(deps, threads, { agentId, type, isSave: true }, { ...data, bound });
  const warnings = [...(await warnOfUndrawn(deps, agentId, data.text)), ...described.warnings];
  return { ...described, bound, evidence, warnings };
}

async function askFiles(
  deps: Deps,
  threads: Threads,
  agentId: string,
  asked: { type: CreationType; payload: Payload; lost: ValidMembers["lost"]; fresh: readonly AssetRow[] },
  judge: Judge,
): Promise<Omit<Asked, "bound" | "evidence"> | null> {
  const { type, payload, lost, fresh } = asked;
  const attachments = attachmentsOf(payload);
  const ids = attachments.map((file) => file.asset_id);
  const assets = [...fresh, ...(await listOwnAssets(deps.pool, agentId, ids))];
  const { hashes, canonical, faults } = checkAttachments(assets, payload, type, deps.now());
  const isSound = Object.keys(faults).length === 0;
  if (!isSound) judge(validationFailed(faults));
  // Of a file that cannot be attached no row is read; the dictionaries of the others are checked all the same.
  const sound = attachments.filter((_, at) => !(attachmentField(at) in faults));
  const unread = attachments.filter((file) => !sound.includes(file) || file.label === undefined);
  const absent = [...unread.map(({ label }) => label), ...(lost.has("attachments") ? [undefined] : [])];
  const places = sound.map((file) => attachments.indexOf(file));
  const own: Judge = (refusal) => judge(restorePlaces(refusal, { attachments: places }));
  const files = { attachments: sound, assets, absent };
  const dictionaries = await attempt(own, () => checkDictionaries(deps, threads, agentId, files, own));
  if (!isSound || dictionaries === null) return null;
  return { hashes, canonical, dictionaries, warnings: listHintWarnings(attachments, assets) };
}
