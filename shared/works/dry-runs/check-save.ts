import type { CountRow } from "../../../sql/identity/daily-counts.ts";
import type { CreationRow } from "../../../sql/works/creations.ts";
import { findRevisionById } from "../../../sql/works/revisions.ts";
import { NO_EVIDENCE } from "../../datasets/evidence/describe-evidence.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { checksumOfRevision } from "../../ground/checksum.ts";
import type { CreationType } from "../../ground/creation-types.ts";
import { countToday } from "../../identity/agents/present-agent.ts";
import { refuseLeakedCredentials } from "../../identity/credentials/refuse-leaked-credentials.ts";
import type { Caller } from "../../identity/writes/authenticate.ts";
import { attempt, judgeFound } from "../../identity/writes/judge.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Threads } from "../../platform/threads/open.ts";
import type { Payload } from "../../requests/payloads.ts";
import { isLeftOut, isRecord } from "../../requests/read-body.ts";
import { titleOf } from "../../requests/titles.ts";
import type { ValidMembers } from "../../requests/valid-members.ts";
import { hashDisclosure } from "../../text/disclosure/describe-disclosure.ts";
import { findDraftWarnings } from "../creations/build-on-draft.ts";
import { saysNothingNew } from "../creations/compare-with-before.ts";
import { chooseSlug, licensePayload, warnOfSlug } from "../creations/defaults.ts";
import { findLimitReached, findSaveLimit, judgeTexts } from "../creations/limits.ts";
import { nameCanonical } from "../creations/links.ts";
import {
  type CreatePlan,
  type Planned,
  planCreate,
  planUpdate,
  type SavePlan,
  type UpdatePlan,
} from "../creations/plan-save.ts";
import { checkPublication, NOTHING_CHANGED, NOTHING_SAVED } from "../creations/publication-checks.ts";
import { abilitiesToRelease } from "../creations/save-drafts.ts";
import { judgeSignature } from "../creations/signatures.ts";
import { findErased } from "../creations/subject.ts";
import {
  type FoundProblems,
  hintAtOwnMember,
  judgeCall,
  judgeVersion,
  openProblems,
  type Result,
  report,
  type Stage,
  takeVersion,
} from "./report.ts";

/** Stands for the id that a save gives to its revision. */
const NEW = "";

/** Whether POST /creations would save this body, and whether what it saves could be published. */
export async function checkCreate(deps: Deps, threads: Threads, caller: Caller, body: unknown) {
  const problems = openProblems(deps.now());
  const { stage, own } = readWay(body);
  const save = problems.at("save");
  await judgeCall(deps, caller, needsOf(stage), body, problems);
  const planned = await leaveOutLeaks(deps, await planCreate(deps, threads, caller.agent.id, body, save));
  judgeFound(save, findSaveLimit(deps, caller.agent, null));
  const { valid } = planned;
  await judgeTexts(save, deps.pool, deps, {
    agent: caller.agent,
    payload: valid.payload,
    asked: planned.plan,
  });
  // A slug that is refused is none of this work.
  const [slug, used] = await Promise.all([
    problems.names("slug") ? null : findSlug(deps, caller.agent.id, valid),
    countToday(deps, caller.agent),
  ]);
  await judgeRelease(deps, caller, { creation: null, stage, valid, used }, problems);
  const result = await presentResult(deps, caller, { creation: null, slug }, planned);
  await judgeSignature(save, deps.pool, caller.agent.id, { plan: planned.plan, result });
  const { data, beside } = reportSave(deps, caller, problems, { own, result, used }, planned.plan);
  const told = planned.plan === null ? [] : warnOfSlug(planned.plan, slug);
  return { data: { ...data, warnings: [...told, ...data.warnings] }, beside };
}

/** Whether PATCH /creations/{creation} would save this body, and whether what it saves could be published. */
export async function checkUpdate(
  deps: Deps,
  threads: Threads,
  caller: Caller,
  creation: CreationRow,
  request: unknown,
) {
  const { sent, body } = takeVersion(request);
  const problems = openProblems(deps.now(), hintAtOwnMember);
  const { stage, own } = readWay(body);
  const save = problems.at("save");
  await judgeCall(deps, caller, needsOf(stage), body, problems);
  judgeFound(save, findErased(creation));
  await judgeVersion(save, sent, { what: "creation", lockVersion: creation.lock_version });
  const [used, planned] = await Promise.all([
    countToday(deps, caller.agent),
    planUpdate(deps, threads, creation, body, save).then((found) => leaveOutLeaks(deps, found)),
  ]);
  judgeFound(save, findSaveLimit(deps, caller.agent, creation));
  const { valid, plan } = planned;
  await judgeTexts(save, deps.pool, deps, { agent: caller.agent, payload: valid.payload, asked: plan });
  const result = await presentResult(deps, caller, { creation, slug: creation.slug }, planned);
  await judgeSignature(save, deps.pool, caller.agent.id, { plan, result });
  const before = await findRevisionById(deps.pool, creation.latest_revision_id);
  const isSame =
    plan !== null && before !== null && saysNothingNew(before, { ...plan, checksum: result?.checksum ?? "" });
  // Newer data that were asked for and are not there: nothing would be saved.
  const isIdle = isSame && plan?.rebound?.length === 0;
  if (!isIdle) await judgeRelease(deps, caller, { creation, stage, valid, used }, problems);
  const { data, beside } = reportSave(deps, caller, problems, { own, result, used }, plan);
  const rebound = plan?.rebound ?? null;
  const drafted = plan === null ? [] : await findDraftWarnings(deps.pool, creation, before, plan);
  const told = [...(isSame ? [NOTHING_CHANGED] : []), ...drafted, ...data.warnings];
  return {
    data: { ...data, warnings: isIdle ? [NOTHING_SAVED] : told },
    beside: rebound === null ? beside : { ...beside, rebound },
  };
}

/** The answer of a check, and what stands beside it of a story or brief of which nothing is refused. */
function reportSave(
  deps: Deps,
  caller: Caller,
  problems: FoundProblems,
  found: Pick<Parameters<typeof report>[3], "own" | "result" | "used">,
  plan: SavePlan | null,
) {
  const data = report(deps, caller, problems, { ...found, warnings: plan?.warnings ?? [] });
  const { beside, unchecked } = plan?.evidence ?? NO_EVIDENCE;
  return { data, beside: beside && { ...beside, unchecked_numbers: unchecked } };
}

/** What a body says without its payload, where the title that this gives holds a live token: no answer repeats one. */
async function leaveOutLeaks<Plan>(deps: Deps, planned: Planned<Plan>): Promise<Planned<Plan>> {
  const { type, payload } = planned.valid;
  const titles = [payload.title, type === "brief" ? payload.body_markdown : null];
  const isSafe = await attempt(
    () => undefined,
    () => refuseLeakedCredentials(deps, titles).then(() => true),
  );
  return isSafe ? planned : { plan: null, valid: { ...planned.valid, payload: {} } };
}

type Release = "publish" | "schedule";

/** What a body does beside saving: the stage, publish where it asks for none, and all stages that are its own. */
function readWay(body: unknown): { stage: Release; own: readonly Stage[] } {
  const { publish, schedule } = isRecord(body) ? body : {};
  const stage = isLeftOut(publish) && !isLeftOut(schedule) ? "schedule" : "publish";
  return { stage, own: abilitiesToRelease(body).length === 0 ? ["save"] : ["save", stage] };
}

function needsOf(stage: Release) {
  return [
    ["save", "creations:write"],
    [stage, "creations:publish"],
  ] as const satisfies Parameters<typeof judgeCall>[2];
}

/** The slug of a new work, a sent one as it was judged; null where it is made of an id, or of a title that is refused. */
async function findSlug(
  deps: Deps,
  agentId: string,
  { slug, payload }: ValidMembers,
): Promise<string | null> {
  if (slug !== null || typeof payload.title !== "string") return slug;
  return await chooseSlug(deps.pool, agentId, NEW, { slug, payload: payload as Payload });
}

interface Releasing {
  creation: CreationRow | null;
  stage: Release;
  valid: ValidMembers;
  used: CountRow;
}

/** Notes what blocks publishing or scheduling what would be saved. */
async function judgeRelease(
  deps: Deps,
  { agent }: Caller,
  { creation, stage, valid, used }: Releasing,
  problems: FoundProblems,
): Promise<void> {
  const { section, change_summary } = valid;
  // A change_summary that is refused is not missing, too.
  const summary = problems.names("change_summary") ? "" : change_summary;
  const candidate = {
    agent,
    creation: {
      latest_revision_id: NEW,
      latest_revision_number: (creation?.latest_revision_number ?? 0) + 1,
      first_published_at: creation?.first_published_at ?? null,
      hidden_at: creation?.hidden_at ?? null,
      retracted: creation?.retracted ?? null,
    },
    revision: { id: NEW, state: "draft" as const, section, change_summary: summary },
  };
  await checkPublication(deps.pool, stage, candidate, problems.at(stage));
  const publish = problems.at("publish");
  if (stage === "schedule") return await checkPublication(deps.pool, "save", candidate, publish);
  const isUpdate = candidate.creation.first_published_at !== null;
  judgeFound(publish, findLimitReached(deps, agent, used, isUpdate));
}

async function presentResult(
  deps: Deps,
  { agent }: Caller,
  { creation, slug }: { creation: CreationRow | null; slug: string | null },
  { plan, valid }: Planned<CreatePlan> | Planned<UpdatePlan>,
): Promise<Result | null> {
  const type = creation?.type ?? valid.type;
  const title = type === null ? null : findTitle(type, valid.payload);
  if (type === null || (title === null && slug === null)) return null;
  const current = creation === null || creation.visibility === "private" ? "public" : creation.visibility;
  const isUpdate = (creation?.first_published_at ?? null) !== null;
  const saved = plan && nameCanonical(await licensePayload(deps.pool, agent, type, plan), plan.canonical);
  return {
    slug,
    title,
    checksum: plan && saved && checksumOfRevision(saved, plan.hashes),
    disclosure_sha256: plan && hashDisclosure(plan.disclosure),
    revision_number: (creation?.latest_revision_number ?? 0) + 1,
    counts_as: countsAs(isUpdate, valid.minor),
    visibility: valid.visibility ?? current,
    url: slug === null ? null : addressesOf(deps.config.siteUrl).creation(agent.handle, slug),
  };
}

/** What a publication counts as. */
export function countsAs(isUpdate: boolean, isMinor: boolean): Result["counts_as"] {
  if (!isUpdate) return "publication";
  return isMinor ? "minor_update" : "update";
}

function findTitle(type: CreationType, payload: Record<string, unknown>): string | null {
  if (type !== "brief") return typeof payload.title === "string" ? payload.title : null;
  return typeof payload.body_markdown === "string" ? titleOf(type, payload as Payload) : null;
}
