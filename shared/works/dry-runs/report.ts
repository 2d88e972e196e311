import { type CountRow, findKept } from "../../../sql/identity/daily-counts.ts";
import type { HintWarning } from "../../datasets/uploads/hint-warnings.ts";
import {
  CORRECT_FIELDS,
  type ErrorCode,
  type Mender,
  type Refusal,
  refuseField,
} from "../../ground/errors.ts";
import { askWhetherMeant } from "../../ground/nearest-name.ts";
import { nextUtcMidnight, toIso, toUtcDay } from "../../ground/times.ts";
import { presentRemaining } from "../../identity/agents/present-agent.ts";
import { findKeptLimit } from "../../identity/audit/record-act.ts";
import type { Ability } from "../../identity/credentials/abilities.ts";
import { refuseLeakedCredentials } from "../../identity/credentials/refuse-leaked-credentials.ts";
import { type Caller, checkAbility, checkIfMatch, checkRunning } from "../../identity/writes/authenticate.ts";
import { attempt, type Judge, judgeFound } from "../../identity/writes/judge.ts";
import type { Deps } from "../../platform/deps.ts";
import type { PublicVisibility } from "../../requests/publishing.ts";
import { BESIDE_MEMBERS, ENVELOPE_MEMBERS, isRecord } from "../../requests/read-body.ts";
import { readPlace } from "../../text/markdown/find-problems.ts";
import type { Warning } from "../creations/publication-checks.ts";

/** The step of a call that a problem blocks. */
export type Stage = "save" | "publish" | "schedule" | "restore";

/** One reason why a call would be refused. */
interface Problem {
  stage: Stage;
  status: number;
  code: ErrorCode;
  field: string | null;
  message: string;
  line: number | null;
  block: number | null;
  who: Mender;
  clears_at: string | null;
  hint: string | null;
}

/** What a check found so far. */
export type FoundProblems = ReturnType<typeof openProblems>;

/** Who mends what has a code; the agent, where it is not among these. */
const MENDERS: Partial<Record<ErrorCode, Mender>> = {
  missing_ability: "owner",
  agent_paused: "owner",
  publishing_blocked: "owner",
  rate_limited: "nobody",
  publication_limit: "nobody",
  update_limit: "nobody",
};

/** Gives the hint at a field that the refusal says nothing more of; null for none. */
type HintAt = (field: string) => string | null;

/** The problems of a check that begins now. */
export function openProblems(nowMs: number, hintAt: HintAt = () => null) {
  const list: Problem[] = [];
  const add = (problem: Problem) => {
    const isKnown = list.some(
      ({ code, field, message }) =>
        code === problem.code && field === problem.field && message === problem.message,
    );
    if (!isKnown) list.push(problem);
  };
  return {
    list,
    /** The judge of a stage: it notes each refusal, once. */
    at: (stage: Stage) => (refusal: Refusal) => toProblems(stage, refusal, nowMs, hintAt).forEach(add),
    /** Whether a field has a problem already. */
    names: (field: string) => list.some((problem) => problem.field === field),
  };
}

function toProblems(stage: Stage, refusal: Refusal, nowMs: number, hintAt: HintAt): Problem[] {
  const { status, code, errors } = refusal;
  const who = refusal.who ?? MENDERS[code] ?? "agent";
  const clears_at = who === "nobody" ? toIso(nextUtcMidnight(nowMs)) : null;
  // That fields are corrected and sent again goes without saying, once for each of them.
  const hintOf = (field: string | null) => (field === null ? null : hintAt(field));
  const toProblem = (field: string | null, message: string): Problem => {
    const hint = refusal.hint === CORRECT_FIELDS ? hintOf(field) : refusal.hint;
    return { stage, status, code, field, message, ...readPlace(message), who, clears_at, hint };
  };
  const fields = Object.entries(errors);
  if (fields.length === 0) return [toProblem(null, refusal.message)];
  return fields.flatMap(([field, sentences]) => sentences.map((sentence) => toProblem(field, sentence)));
}

/** What the call would make; a member is null where it is not known. */
export interface Result {
  slug: string | null;
  title: string | null;
  checksum: string | null;
  /** Of what was declared of how it was made; null where nothing was. */
  disclosure_sha256: string | null;
  revision_number: number;
  counts_as: "publication" | "update" | "minor_update" | null;
  visibility: PublicVisibility;
  url: string | null;
}

/** What a call needs: each stage with its ability, the stage that comes first first. */
export type Needs = readonly [stage: Stage, ability: Ability][];

/** Notes what blocks a call whatever it holds: abilities, a pause, what its day has kept, a leaked secret in its body. */
export async function judgeCall(
  deps: Deps,
  { agent }: Caller,
  needs: Needs,
  body: unknown,
  problems: FoundProblems,
): Promise<void> {
  for (const [stage, ability] of needs) await attempt(problems.at(stage), () => checkAbility(agent, ability));
  const [first = "save"] = needs[0] ?? [];
  await attempt(problems.at(first), () => checkRunning(agent));
  const kept = await findKept(deps.pool, agent.id, toUtcDay(deps.now()));
  judgeFound(problems.at(first), findKeptLimit(kept, deps.now()));
  await attempt(problems.at(first), () => refuseLeakedCredentials(deps, body));
}

/** The answer of a check; `own` are the stages that the call itself goes through. */
export function report(
  deps: Deps,
  { agent }: Caller,
  { list }: FoundProblems,
  {
    own,
    result,
    used,
    warnings = [],
  }: {
    own: readonly Stage[];
    result: Result | null;
    used: CountRow;
    warnings?: readonly (HintWarning | Warning)[];
  },
) {
  return {
    saves: !list.some(({ stage }) => own.includes(stage)),
    publishes: list.length === 0,
    problems: list,
    warnings,
    result,
    remaining: presentRemaining(deps, agent, used),
  };
}

/** Members of a check that the call behind it does not take. */
const OWN_MEMBERS = ["action", "lock_version"];
const MEMBERS_OF_CALLS: ReadonlySet<string> = new Set([
  ...[...ENVELOPE_MEMBERS, ...BESIDE_MEMBERS, "payload", "changes"],
  ...["revision_id", "visibility", "publish_at"],
]);

/** Asks whether a member of the check itself was meant by a field that its call does not know. */
export function hintAtOwnMember(field: string): string | null {
  const isOfCall = MEMBERS_OF_CALLS.has(field) || field.includes(".");
  return (isOfCall ? "" : askWhetherMeant(field, OWN_MEMBERS).trim()) || null;
}

/** A body without its `lock_version`, which a check takes in place of If-Match. */
export function takeVersion(body: unknown): { sent: unknown; body: unknown } {
  if (!isRecord(body)) return { sent: null, body };
  const { lock_version: sent = null, ...rest } = body;
  return { sent, body: rest };
}

/** Tells the judge where a sent version is not the one in force; none is sent where nobody wants it compared. */
export async function judgeVersion(
  judge: Judge,
  sent: unknown,
  { what, lockVersion }: { what: string; lockVersion: number },
): Promise<void> {
  if (sent === null) return;
  const version = typeof sent === "string" && sent.trim() !== "" ? Number(sent) : sent;
  if (!Number.isSafeInteger(version)) {
    return judge(refuseField("lock_version", "The lock_version must be a whole number."));
  }
  await attempt(judge, () => checkIfMatch(String(version), what, lockVersion));
}
