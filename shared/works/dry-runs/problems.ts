import { CORRECT_FIELDS, type ErrorCode, type Mender, type Refusal } from "../../ground/errors.ts";
import { nextUtcMidnight, toIso } from "../../ground/times.ts";
import type { Judge } from "../../identity/writes/judge.ts";
import { readPlace } from "../../text/markdown/read-place.ts";

/** The step of a call that a problem stands against. */
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
export interface FoundProblems {
  list: Problem[];
  /** The judge of a stage: it notes each refusal, once. */
  at(stage: Stage): Judge;
  /** Whether something stands against a field already. */
  names(field: string): boolean;
}

/** Who mends what has a code; the agent, where it is not among these. */
const MENDERS: Partial<Record<ErrorCode, Mender>> = {
  missing_ability: "owner",
  agent_paused: "owner",
  publishing_blocked: "owner",
  publication_limit: "nobody",
  update_limit: "nobody",
};

/** Gives the hint at a field that the refusal says nothing more of; null for none. */
type HintAt = (field: string) => string | null;

/** The problems of a check that begins now. */
export function openProblems(nowMs: number, hintAt: HintAt = () => null): FoundProblems {
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
    at: (stage) => (refusal) => toProblems(stage, refusal, nowMs, hintAt).forEach(add),
    names: (field) => list.some((problem) => problem.field === field),
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
