import type { Tx } from "../../../sql/connection/pool.ts";
import { findAppend } from "../../../sql/datasets/appends.ts";
import { findRevisionById } from "../../../sql/works/revisions.ts";
import { openBase } from "../../datasets/uploads/append-base.ts";
import { discardFilesSoon } from "../../datasets/uploads/discard-files.ts";
import {
  type Appended,
  recordAppended,
  type SentRows,
  storeAppended,
} from "../../datasets/uploads/sent-part.ts";
import { Refusal, refuse, refuseField, validationFailed } from "../../ground/errors.ts";
import { countNoun } from "../../ground/text.ts";
import type { Caller } from "../../identity/writes/authenticate.ts";
import type { Answer } from "../../identity/writes/idempotency.ts";
import { attempt, judgeOutcome } from "../../identity/writes/judge.ts";
import { runWrite, type WriteKind, type WriteRequest } from "../../identity/writes/run-write.ts";
import type { Deps } from "../../platform/deps.ts";
import { limitsOfAgent } from "../../platform/limits-in-force.ts";
import type { Threads } from "../../platform/threads/open.ts";
import { explainLabel } from "../../requests/changes.ts";
import { parseAppendRequest } from "../../requests/parse-append.ts";
import type { Payload } from "../../requests/payloads.ts";
import { isLeftOut } from "../../requests/read-body.ts";
import { numberRow } from "../../tables/rows/plan.ts";
import { attachmentsOf } from "./links.ts";
import { getLatest, planUpdate, requirePlan, type UpdatePlan } from "./plan-save.ts";
import { abilitiesToRelease, updateCreation } from "./save-drafts.ts";
import { type CreationSubject, creationSubject } from "./subject.ts";

/** How long a call waits for the inspection of the whole file. */
const INSPECTED_WITHIN_MS = 60_000;

/** A request to append, and the rows that came with it. */
interface AppendRequest extends WriteRequest {
  /** All its members, those that `body` leaves out too. */
  members: unknown;
  sent: SentRows;
}

/**
 * POST /creations/{creation}/append: appends rows to a file of a dataset and saves that as the newest draft, or publishes it.
 * Bytes that were stored for a call that is refused or was carried out before are deleted.
 */
export async function appendRows(
  deps: Deps,
  threads: Threads,
  caller: Caller,
  request: AppendRequest,
  mostMs: number = INSPECTED_WITHIN_MS,
): Promise<Answer> {
  const { sent } = request;
  const discard = async () => {
    if (sent.storedIds.length > 0) await discardFilesSoon(deps, sent.storedIds);
  };
  try {
    const answer = await runWrite(deps, caller, appending(threads, request, mostMs), {
      ...request,
      part: sent,
    });
    if (answer.replayed) await discard();
    return answer;
  } catch (error) {
    // A refusal means that these bytes got no row; after any other failure the sweep decides.
    if (error instanceof Refusal) await discard();
    throw error;
  }
}

interface AppendPlan {
  plan: UpdatePlan;
  label: string;
  appended: Appended;
}

const appending = (
  threads: Threads,
  { members, sent }: AppendRequest,
  mostMs: number,
): WriteKind<AppendPlan, CreationSubject> => ({
  ...creationSubject,
  abilitiesFor: (body) => ["assets:write", ...abilitiesToRelease(body)],
  async prepare(deps, caller, _body, { creation }) {
    const { label, assetId, saving } = await readAppend(deps, creation, members, sent);
    const mostBytes = limitsOfAgent(deps, caller.agent).fileBytes;
    const named = { base_asset_id: "label", file: sent.field };
    const appended = await renaming(named, async () => {
      const base = await openBase(deps, caller.agent, { id: assetId, format: null, mostBytes });
      return await storeAppended(deps, threads, sent, { caller, base, mostMs });
    });
    const { stored, verdict } = appended;
    const rows = (verdict.rowsAdded ?? 0) + (await countSinceLive(deps, creation, assetId));
    const summary = `${countNoun(rows, "row")} added to ${label}.`;
    const change_summary = isLeftOut(saving.change_summary) ? summary : saving.change_summary;
    const body = { ...saving, change_summary, changes: { files: [{ label, asset_id: stored.id }] } };
    const plan = await sayingWhere(appended, () =>
      requirePlan((judge) => planUpdate(deps, threads, creation, body, judge, [appended.asset])),
    );
    return { plan, label, appended };
  },
  async perform(tx: Tx, deps, agent, { plan, label, appended }, found) {
    const act = await renaming({ base_asset_id: "label" }, () => recordAppended(tx, deps, agent, appended));
    const written = await updateCreation(threads).perform(tx, deps, agent, plan, found);
    const { inspection, rowsAdded: rows } = appended.verdict;
    const row_count = inspection?.kind === "table" ? inspection.row_count : null;
    const { id: asset_id, appended: part } = appended.stored;
    const beside = {
      appended: { label, asset_id, rows, row_count, ...(part?.changes.length && { changes: part.changes }) },
    };
    return { ...written, beside, moreActs: [...(written.moreActs ?? []), act] };
  },
});

/** The rows that drafts appended to a file since it went live: they go live with those that follow. */
async function countSinceLive(
  { pool }: Deps,
  { live_revision_id: liveId, latest_revision_id: latestId }: CreationSubject["creation"],
  assetId: string,
): Promise<number> {
  const live = liveId === null || liveId === latestId ? null : await findRevisionById(pool, liveId);
  const files = live?.payload ? attachmentsOf(live.payload as Payload) : [];
  if (files.some(({ asset_id }) => asset_id === assetId)) return 0;
  const appends = await Promise.all(files.map(({ asset_id }) => findAppend(pool, asset_id, assetId)));
  // Of files that grew out of each other the newest is the last that readers had.
  const counts = appends.flatMap((append) => append?.rows_added ?? []);
  return counts.length === 0 ? 0 : Math.min(...counts);
}

/** Reads what is asked, and finds the file that is to grow. Throws every fault of the members at once. */
async function readAppend(
  deps: Deps,
  creation: CreationSubject["creation"],
  members: unknown,
  { field }: SentRows,
) {
  return await requirePlan(async (judge) => {
    const read = parseAppendRequest(members, field === "file");
    judgeOutcome(judge, read);
    const label = ((members ?? {}) as { label?: unknown }).label;
    const file = await attempt(judge, () =>
      findGrowing(deps, creation, typeof label === "string" ? label : ""),
    );
    if (!read.ok || file === null) return { plan: null };
    const { change_summary, minor, correction, publish } = read.value;
    const saving = { change_summary, minor, correction, publish };
    return { plan: { label: file.label, assetId: file.asset_id, saving } };
  });
}

/** The attachment of this label, or the only one. */
async function findGrowing(deps: Deps, creation: CreationSubject["creation"], sentLabel: string) {
  if (creation.type !== "dataset")
    throw refuse(
      "not_tabular",
      `Rows are appended to a file of a dataset, and this creation is a ${creation.type}.`,
    );
  const { payload } = await getLatest(deps, creation);
  const files = attachmentsOf(payload as Payload);
  const labels = files.map((file) => file.label);
  const label = isLeftOut(sentLabel) && labels.length === 1 ? labels[0] : sentLabel.trim();
  const [file] = files.filter((one) => one.label === label);
  const fault = isLeftOut(label)
    ? `The dataset has several files. Name one of ${labels.map((one) => `"${one}"`).join(", ")}.`
    : explainLabel(label ?? "", labels, false);
  if (fault !== null || file === undefined) throw refuseField("label", fault ?? "");
  return file;
}

const OF_ROW = /^Row \d/;

/** Does a step that reads the whole file; a refusal says that the rows which it names are not counted in what was sent. */
async function sayingWhere<Result>(
  { asset, verdict }: Appended,
  step: () => Promise<Result>,
): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    const { inspection, rowsAdded } = verdict;
    const isOfRows = error instanceof Refusal && error.code === "validation_failed";
    if (!isOfRows || inspection?.kind !== "table" || rowsAdded === undefined) throw error;
    const first = numberRow(inspection.row_count - rowsAdded, asset.format === "csv");
    const whole = `Rows are those of the whole file, where yours begin with row ${first}.`;
    const errors = Object.entries(error.errors).map(([field, said]) => [
      field,
      said.map((sentence) => (OF_ROW.test(sentence) ? `${sentence} ${whole}` : sentence)),
    ]);
    throw validationFailed(Object.fromEntries(errors), error.hint ?? undefined);
  }
}

/** Does a step whose refusals name members by other names. */
async function renaming<Result>(names: Record<string, string>, step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "validation_failed") throw error;
    const errors = Object.entries(error.errors).map(([name, said]) => [names[name] ?? name, said]);
    throw validationFailed(Object.fromEntries(errors), error.hint ?? undefined);
  }
}
