import type { CountRow } from "../../../sql/identity/daily-counts.ts";
import type { CreationRow } from "../../../sql/works/creations.ts";
import { findRevisionById, type RevisionRow } from "../../../sql/works/revisions.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { refuseField } from "../../ground/errors.ts";
import { findNearestName } from "../../ground/nearest-name.ts";
import { countToday } from "../../identity/agents/present-agent.ts";
import type { Caller } from "../../identity/writes/authenticate.ts";
import { attempt, type Judge, judgeFound, judgeOutcome } from "../../identity/writes/judge.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Outcome } from "../../requests/explain.ts";
import {
  parsePublishRequest,
  parseRestoreRequest,
  parseScheduleRequest,
} from "../../requests/parse-publishing.ts";
import type { PublicVisibility } from "../../requests/publishing.ts";
import { hashDisclosure } from "../../text/disclosure/describe-disclosure.ts";
import { findLimitReached } from "../creations/limits.ts";
import { checkPublication, type Warning } from "../creations/publication-checks.ts";
import { findNamedRevision } from "../creations/publish.ts";
import { findUndoneCorrection, passRestoreGates } from "../creations/restore.ts";
import { findErased } from "../creations/subject.ts";
import { countsAs } from "./check-save.ts";
import {
  type FoundProblems,
  hintAtOwnMember,
  judgeCall,
  judgeVersion,
  openProblems,
  type Result,
  report,
  takeVersion,
} from "./report.ts";

/** The calls that a check plays besides a save. */
const ACTIONS = ["publish", "schedule", "restore"] as const;
type Action = (typeof ACTIONS)[number];

/** The work of an action with the agent's request. */
interface Asked {
  caller: Caller;
  creation: CreationRow;
  members: Record<string, unknown>;
  used: CountRow;
}

/** What an action would make live. */
interface Released {
  revision: RevisionRow;
  revisionNumber: number;
  counts: Result["counts_as"];
  visibility: PublicVisibility | null;
  warnings?: readonly Warning[];
}

/** Whether POST /creations/{creation}/publish, schedule or restore would do what it is asked with these members. */
export async function checkAction(
  deps: Deps,
  caller: Caller,
  creation: CreationRow,
  { action: named, ...request }: Record<string, unknown>,
) {
  const action = readAction(named);
  const { sent, body } = takeVersion(request);
  const members = body as Record<string, unknown>;
  const problems = openProblems(deps.now(), hintAtOwnMember);
  const judge = problems.at(action);
  await judgeCall(deps, caller, [[action, "creations:publish"]], members, problems);
  judgeFound(judge, findErased(creation));
  await judgeVersion(judge, sent, { what: "creation", lockVersion: creation.lock_version });
  const used = await countToday(deps, caller.agent);
  const released = await PLAYS[action](deps, { caller, creation, members, used }, judge, problems);
  const result = released && presentResult(deps, caller, creation, released);
  return report(deps, caller, problems, { own: [action], result, used, warnings: released?.warnings });
}

function readAction(named: unknown): Action {
  const action = ACTIONS.find((name) => name === named);
  if (action !== undefined) return action;
  const near = typeof named === "string" ? findNearestName(named, ACTIONS) : null;
  const meant = near === null ? "" : ` Did you mean ${near}?`;
  throw refuseField("action", `The action must be one of ${ACTIONS.join(", ")}.${meant}`);
}

type Play = (deps: Deps, asked: Asked, judge: Judge, problems: FoundProblems) => Promise<Released | null>;

const PLAYS: Record<Action, Play> = {
  async publish(deps, { caller: { agent }, creation, members, used }, judge) {
    const wanted = readValid(members, judge, (sent) => parsePublishRequest(sent));
    const revision = await findRevision(deps, creation, wanted?.revisionId ?? null, judge);
    if (revision === null) return null;
    await checkPublication(deps.pool, "publish", { agent, creation, revision }, judge);
    const isUpdate = creation.first_published_at !== null;
    judgeFound(judge, findLimitReached(deps, agent, used, isUpdate));
    return toReleased(creation, revision, wanted?.visibility ?? null);
  },
  async schedule(deps, { caller: { agent }, creation, members }, judge, problems) {
    const window = { nowMs: deps.now(), days: deps.config.limits.scheduleDays };
    const wanted = readValid(members, judge, (sent) => parseScheduleRequest(sent, window));
    const revision = await findRevision(deps, creation, wanted?.revisionId ?? null, judge);
    if (revision === null) return null;
    await checkPublication(deps.pool, "schedule", { agent, creation, revision }, judge);
    // A schedule may be set although nothing could be published yet.
    await checkPublication(deps.pool, "save", { agent, creation, revision }, problems.at("publish"));
    return toReleased(creation, revision, wanted?.visibility ?? null);
  },
  async restore(deps, { caller: { agent }, creation, members, used }, judge) {
    const wanted = readValid(members, judge, (sent) => parseRestoreRequest(sent));
    const restoring = { agent, creation, revision: wanted?.revision ?? null };
    const old = await passRestoreGates(deps.pool, deps, restoring, judge);
    judgeFound(judge, findLimitReached(deps, agent, used, true));
    if (old === null) return null;
    const revisionNumber = creation.latest_revision_number + 1;
    const warnings = wanted?.correction ? [] : await findUndoneCorrection(deps.pool, creation, old);
    const visibility = wanted?.visibility ?? "public";
    return { revision: old, revisionNumber, counts: "update", visibility, warnings };
  },
};

/** Tells the judge the faults of a request; what it says without them, null where that is not enough. */
function readValid<T>(
  members: Record<string, unknown>,
  judge: Judge,
  parse: (sent: unknown) => Outcome<T>,
): T | null {
  const outcome = parse(members);
  judgeOutcome(judge, outcome);
  if (outcome.ok) return outcome.value;
  const valid = Object.entries(members).filter(([name]) => !(name in outcome.errors));
  const again = parse(Object.fromEntries(valid));
  return again.ok ? again.value : null;
}

/** The revision that a request names, else the latest one, which the other checks look at. */
async function findRevision(deps: Deps, creation: CreationRow, id: string | null, judge: Judge) {
  const named = await attempt(judge, () => findNamedRevision(deps.pool, creation, id));
  return named ?? (await findRevisionById(deps.pool, creation.latest_revision_id));
}

function toReleased(
  creation: CreationRow,
  revision: RevisionRow,
  visibility: PublicVisibility | null,
): Released {
  const counts = countsAs(creation.first_published_at !== null, revision.minor);
  return { revision, revisionNumber: revision.revision_number, counts, visibility };
}

function presentResult(
  deps: Deps,
  { agent }: Caller,
  creation: CreationRow,
  { revision, revisionNumber, counts, visibility }: Released,
): Result {
  const current = creation.visibility === "private" ? "public" : creation.visibility;
  return {
    slug: creation.slug,
    title: revision.title,
    checksum: revision.checksum,
    disclosure_sha256: hashDisclosure(revision.disclosure),
    revision_number: revisionNumber,
    counts_as: counts,
    visibility: visibility ?? current,
    url: addressesOf(deps.config.siteUrl).creation(agent.handle, creation.slug),
  };
}
