import { listTargets } from "../../../sql/works/creations.ts";
import { findNewest } from "../../datasets/evidence/find-newest.ts";
import { listChartQuestions } from "../../datasets/questions/bind-charts.ts";
import { listFigureQuestions } from "../../datasets/questions/bind-figures.ts";
import { validationFailed } from "../../ground/errors.ts";
import { joinWords } from "../../ground/text.ts";
import { attempt, type Judge, judgeOutcome } from "../../identity/writes/judge.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Threads } from "../../platform/threads/open.ts";
import { conclude, explainIssues, type Problems } from "../../requests/explain.ts";
import type { Payload } from "../../requests/payloads.ts";
import type { Rebinding } from "../../requests/rebinding.ts";
import { schemasFor } from "../../requests/schemas.ts";
import { ownSiteOf } from "../../requests/urls.ts";
import type { ValidMembers } from "../../requests/valid-members.ts";
import { nameBlock } from "../../text/markdown/find-problems.ts";
import { bodyOf, figuresOf, referencesOf } from "./links.ts";
import { isBehind, judgeMoves, listRebound, movePayload, type Rebound, type Use } from "./move-payload.ts";

/** What of a payload must be sound before anything moves. */
const MOVING = /^(?:figures|references)/;
const REWRITTEN: readonly PropertyKey[] = ["body_markdown", "figures"];

/** What a body says once `changes.rebind` is done, and what was moved: null where nobody asked for it. */
export async function takeNewest(
  deps: Deps,
  threads: Threads,
  agentId: string,
  valid: ValidMembers,
  rebind: Rebinding | null,
  judge: Judge,
): Promise<{ valid: ValidMembers; rebound: Rebound[] | null; isSound: boolean }> {
  if (rebind === null || valid.type === null) return { valid, rebound: null, isSound: true };
  if ([...valid.lost].some((path) => MOVING.test(path))) return { valid, rebound: null, isSound: false };
  const done = await attempt(judge, () =>
    rebindPayload(deps, threads, agentId, valid.payload as Payload, rebind),
  );
  // Of figures that did not move it is not known what the text should say.
  const { figures: _, ...rest } = valid.payload;
  if (done === null) return { valid: { ...valid, payload: rest }, rebound: null, isSound: false };
  const { payload, rebound } = done;
  // A new value may be longer than the text or the figure can be.
  const { error } = schemasFor(ownSiteOf(deps)).payloads[valid.type].safeParse(payload, {
    reportInput: true,
  });
  const issues = error?.issues.filter(({ path }) => REWRITTEN.includes(path[0] ?? "")) ?? [];
  const problems: Problems = new Map();
  explainIssues(issues, ["payload"], problems);
  const outcome = conclude(problems, payload);
  judgeOutcome(judge, outcome);
  return { valid: { ...valid, payload: { ...payload } }, rebound, isSound: outcome.ok };
}

const TO_UPDATE =
  'Where the data say another number, changes.rebind with "figures": "update" writes it in place of the old one.';

/**
 * A payload whose figures, charts and pinned references name what is live of these works, and what was moved; throws 422
 * with every fault.
 */
async function rebindPayload(
  deps: Deps,
  threads: Threads,
  agentId: string,
  before: Payload,
  { works, figures }: Rebinding,
): Promise<{ payload: Payload; rebound: Rebound[] }> {
  const faults: string[] = [];
  const chosen = chooseUses(await listUses(deps, agentId, before, works), works, faults);
  const moves = await judgeMoves(deps, threads, agentId, { chosen, figures }, faults);
  const payload = await movePayload(deps, before, moves, faults);
  if (faults.length > 0)
    throw validationFailed({ "changes.rebind": faults }, figures === "keep" ? TO_UPDATE : undefined);
  return { payload, rebound: await listRebound(deps, payload, moves) };
}

async function listUses(
  deps: Deps,
  agentId: string,
  payload: Payload,
  works: Rebinding["works"],
): Promise<Use[]> {
  const figures = listFigureQuestions(figuresOf(payload), new Set());
  const charts = await listChartQuestions(deps, bodyOf(payload));
  const references = referencesOf(payload);
  const targetIds = references.map(({ creation_id }) => creation_id);
  const held = new Set([...targetIds, ...(works === "newest" ? [] : works)]);
  const assetIds = [...figures, ...charts].map(({ assetId }) => assetId);
  const newest = await findNewest(deps.pool, assetIds);
  const targets = new Map((await listTargets(deps.pool, targetIds)).map((target) => [target.id, target]));
  const sourceOf = ({ assetId }: { assetId: string }): Pick<Use, "work" | "file"> => {
    const found = newest.get(assetId);
    if (found === undefined) return { work: null, file: null };
    const { source_id: id, base_number: from, live_number: to, is_listed, agent_id } = found.source;
    const isTold = is_listed || agent_id === agentId || held.has(id);
    return { work: { id, from, to, isTold }, file: found.file };
  };
  return [
    ...figures.map((asked): Use => {
      const n = asked.position + 1;
      return { kind: "figure", n, name: `Figure ${n}, "${asked.figure.text}"`, asked, ...sourceOf(asked) };
    }),
    ...charts.map((asked): Use => {
      const { block } = asked;
      return { kind: "chart", n: block.number, name: nameBlock(block), asked, ...sourceOf(asked) };
    }),
    ...references.flatMap(({ creation_id: id, revision_number: from }, position): Use[] => {
      if (from == null) return [];
      const n = position + 1;
      const { open = false, live_number: to = null } = targets.get(id) ?? {};
      const work = open && to !== null ? { id, from, to, isTold: true } : null;
      return [{ kind: "pin", n, name: `Reference ${n}`, work, file: null, position }];
    }),
  ];
}

/** What a text uses of these works; notes works of which it uses nothing, and sources that cannot be followed. */
function chooseUses(uses: readonly Use[], works: Rebinding["works"], faults: string[]): Use[] {
  const used = [...new Set(uses.flatMap(({ work }) => (work?.isTold ? [work.id] : [])))];
  const unused = works === "newest" ? [] : works.filter((id) => !used.includes(id));
  for (const id of unused) faults.push(`The text uses nothing of an open work ${id}.`);
  if (unused.length > 0 && used.length > 0)
    faults.push(`Its figures, charts and references that name a revision are from ${joinWords(used)}.`);
  for (const use of uses) {
    // Nobody is told which work has closed, so each may be the one that was meant.
    if (use.work === null && (works === "newest" || unused.length > 0))
      faults.push(`${use.name}: its source is closed.`);
    if (works === "newest" && use.work?.isTold === false && isBehind(use))
      faults.push(`${use.name}: its source is unlisted. Name that work by its id.`);
  }
  return uses.filter(({ work }) => work?.isTold && (works === "newest" || works.includes(work.id)));
}
