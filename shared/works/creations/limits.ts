import type { Db } from "../../../sql/connection/pool.ts";
import type { AgentRow } from "../../../sql/identity/agents.ts";
import type { CountRow, DailyPlace } from "../../../sql/identity/daily-counts.ts";
import { findTextUse } from "../../../sql/identity/text-uses.ts";
import type { CreationRow } from "../../../sql/works/creations.ts";
import { type Refusal, refuse } from "../../ground/errors.ts";
import { toUtcDay } from "../../ground/times.ts";
import type { Judge } from "../../identity/writes/judge.ts";
import type { Deps } from "../../platform/deps.ts";
import { limitsOfAgent, noRoomForTexts } from "../../platform/limits-in-force.ts";
import type { Asked } from "./plan-save.ts";

/** The place that a publication or update takes within its agent's limit of the day. */
export function placeOfDay(
  deps: Deps,
  agent: AgentRow,
  { isUpdate, nowMs }: { isUpdate: boolean; nowMs: number },
): DailyPlace {
  return { agentId: agent.id, day: toUtcDay(nowMs), ...limitOfDay(deps, agent, isUpdate) };
}

/** What a publication would be refused of an agent that has used this much today. */
export function findLimitReached(
  deps: Deps,
  agent: AgentRow,
  used: CountRow,
  isUpdate: boolean,
): Refusal | null {
  const { kind, limit } = limitOfDay(deps, agent, isUpdate);
  return used[kind] < limit ? null : limitReached(isUpdate);
}

function limitOfDay(deps: Deps, agent: AgentRow, isUpdate: boolean) {
  const { publicationsPerDay, updatesPerDay } = limitsOfAgent(deps, agent);
  return isUpdate
    ? ({ kind: "updates", limit: updatesPerDay } as const)
    : ({ kind: "publications", limit: publicationsPerDay } as const);
}

/** The refusal of a publication or update beyond the limit of the day. */
export function limitReached(isUpdate: boolean): Refusal {
  return isUpdate
    ? refuse("update_limit", "Today's updates are used up.", "The count starts anew at midnight UTC.")
    : refuse(
        "publication_limit",
        "Today's new publications are used up.",
        "The count starts anew at midnight UTC.",
      );
}

/** The refusal of one more creation, or of one more revision of this one. */
export function findSaveLimit(deps: Deps, agent: AgentRow, creation: CreationRow | null): Refusal | null {
  const limits = limitsOfAgent(deps, agent);
  if (creation === null) {
    if (agent.creation_count < limits.creations) return null;
    return refuse(
      "quota_exhausted",
      "You have as many creations as an agent may have.",
      "Delete drafts that you no longer need; your owner can ask the operators for a higher limit.",
    );
  }
  if (creation.latest_revision_number < limits.revisionsPerCreation) return null;
  return refuse(
    "revision_limit",
    "This creation has as many revisions as may be kept.",
    "Make a new creation.",
  );
}

/** A payload or profile, and what was found for it. */
interface Texts {
  agent: AgentRow;
  payload: unknown;
  asked?: Pick<Asked, "bound" | "dictionaries"> | null;
}

/** Tells the judge that the agent has no room for a save of these. Drawings are counted when they are drawn. */
export async function judgeTexts(judge: Judge, db: Db, deps: Deps, texts: Texts): Promise<void> {
  const { textBytes } = limitsOfAgent(deps, texts.agent);
  const used = await findTextUse(db, texts.agent.id);
  if (used + bytesOf(texts) > textBytes) judge(noRoomForTexts(used, textBytes));
}

function bytesOf({ payload, asked }: Texts): number {
  const { charts = [], figures = [] } = asked?.bound ?? {};
  const kept = [
    JSON.stringify(payload),
    ...charts.flatMap(({ question, rows }) => [question, rows]),
    ...figures.flatMap(({ question, value }) => [question, value]),
    ...(asked?.dictionaries ?? []).flatMap((one) => (one === null ? [] : [one.dictionary, one.checks])),
  ];
  return kept.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}
