import {
  finishErasure,
  listDepartedAgents,
  listErasures,
  listRevisionsWithContent,
  listTextsOfProfiles,
  removeAgentTexts,
} from "../../sql/care/erasures.ts";
import { type ExpiringRows, listExpiringRows } from "../../sql/care/expired-rows.ts";
import { lockAgent } from "../../sql/identity/agents.ts";
import { countTextsOfBefore } from "../../sql/identity/text-uses.ts";
import { removeRevisionContent } from "../../sql/works/revisions.ts";
import { deleteDrawingsOfText } from "../datasets/drawings/drawings.ts";
import { sweepStanding } from "../datasets/evidence/ask-standing.ts";
import { sweepParquet } from "../datasets/parquet/make-parquet.ts";
import { sweepUnsaidQuestions } from "../datasets/questions/ask-again.ts";
import { discardFiles, releaseFiles, sweepAgedFiles } from "../datasets/uploads/discard-files.ts";
import { sweepExpiredUploads, sweepOrphanFiles, sweepUploads } from "../datasets/uploads/sweeps.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../ground/times.ts";
import { recordAct, SERVICE } from "../identity/audit/record-act.ts";
import { sweepDomains } from "../identity/owners/domains.ts";
import { COUNTED_MS } from "../identity/sign-in/invitations.ts";
import type { Deps } from "../platform/deps.ts";
import { CATALOGUE, type WorkerName } from "../platform/jobs/catalogue.ts";
import { sweepMails } from "../platform/mail/folder.ts";
import type { OutboxName } from "../platform/outbox/run-sequencer.ts";
import { enqueueLostWork } from "../platform/pending-work/enqueue-lost-work.ts";
import { sweepSearchMarks } from "../reading/search/index-words.ts";
import { sequenceEvents } from "../trust/events/sequence-events.ts";
import { sweepLog } from "../trust/transparency-log/sequence-log.ts";
import { beginDeliveries } from "../trust/webhooks/deliver.ts";
import { sweepDueSchedules } from "../works/creations/schedules.ts";
import { sweepExpiredExports, sweepLostExports } from "./archive/exports.ts";
import { sweepRemovals } from "./backup/removals.ts";
import { eraseWorksAndTexts } from "./erasure/erase-agent.ts";

const AGENTS = 100;
/** Revisions in one transaction: each may hold a text of 100,000 characters, whose drawings are looked for. */
const REVISIONS = 20;

/**
 * Removes the texts of owners who left as long ago as replaced files are kept: content of revisions, profiles, names of
 * files, slugs. Returns the count of agents. A process that ends in the midst leaves the rest to the next run.
 */
export async function sweepDepartedTexts(deps: Deps): Promise<number> {
  const beforeMs = deps.now() - deps.config.limits.replacedFilesDays * DAY_MS;
  const ids = await listDepartedAgents(deps.pool, beforeMs, AGENTS);
  for (const id of ids) {
    while (await removeNextRevisions(deps, id)) {
      // Each transaction takes the next ones.
    }
    await removeRest(deps, id);
  }
  return ids.length;
}

/** Removes the content of the next revisions of an agent; false when none has any. */
async function removeNextRevisions(deps: Deps, agentId: string): Promise<boolean> {
  const nowMs = deps.now();
  const released = await deps.pool.transaction(async (tx) => {
    await lockAgent(tx, agentId);
    const revisions = await listRevisionsWithContent(tx, { agentId }, REVISIONS);
    const files: string[] = [];
    for (const { id, creation_id, body } of revisions) {
      files.push(...(await releaseFiles(tx, deps, { id: creation_id, agent_id: agentId }, id)));
      await deleteDrawingsOfText(tx, deps, body, id);
      await removeRevisionContent(tx, id, { by: "owner", nowMs });
      const act = { action: "revision.remove_content", subjectKind: "revision", subjectId: id, agentId };
      // The agent is archived for good, so nobody reads of it.
      await recordAct(tx, SERVICE, { ...act, detail: { by: "owner" }, changes: [] }, nowMs);
    }
    return revisions.length === 0 ? null : files;
  });
  if (released === null) return false;
  await discardFiles(deps, released);
  return true;
}

async function removeRest(deps: Deps, agentId: string): Promise<void> {
  await deps.pool.transaction(async (tx) => {
    await lockAgent(tx, agentId);
    for (const text of await listTextsOfProfiles(tx, agentId)) await deleteDrawingsOfText(tx, deps, text);
    await removeAgentTexts(tx, agentId, deps.now());
  });
}

/** No request and no drawing takes as long, so what read a text before its erasure has stored what it stores. */
const AFTER_MS = 10 * MINUTE_MS;
const ERASURES = 100;

/**
 * The second pass of erasures: goes on with an agent whose erasure was stopped, and deletes what pages and jobs that had
 * read a text before have stored since. Returns the count.
 */
export async function sweepErasures(deps: Deps): Promise<number> {
  const erasures = await listErasures(deps.pool, deps.now() - AFTER_MS, ERASURES);
  for (const { subject_id, kind } of erasures) {
    if (kind !== "agent") continue;
    await eraseWorksAndTexts(deps, subject_id);
  }
  const ids = new Set(erasures.map((erasure) => erasure.subject_id));
  // Going on with an agent may have added drawings to its row.
  for (const erasure of await listErasures(deps.pool, deps.now() - AFTER_MS, ERASURES)) {
    if (ids.has(erasure.subject_id)) await deps.pool.transaction((tx) => finishErasure(tx, erasure));
  }
  return erasures.length;
}

/** What a sweep did: how many of what, by the names that `cli -- sweep` prints. */
export type Counts = Record<string, number>;

/**
 * Work that the clock starts, in plain SQL, so that a lost job costs time and never work. Several may run at
 * once.
 */
export interface Sweep {
  /** The name in logs and metrics. */
  name: string;
  worker: WorkerName;
  /** The pause between two runs in one worker process. */
  everyMs: number;
  /** The outbox that ends the pause as soon as a row is committed to it. */
  wokenBy: OutboxName | undefined;
  run(deps: Deps): Promise<Counts>;
}

/** Every sweep, in the order of the command line: schedules first, stored bytes last. */
export const SWEEPS: readonly Sweep[] = [
  sweep("publish-due-schedules", "publish", 2_000, counted("due_schedules", sweepDueSchedules)),
  sweep("sequence-events", "deliver", 1_000, counted("sequenced_events", sequenceEvents), "events"),
  sweep("deliver-webhook", "deliver", 1_000, counted("begun_deliveries", beginDeliveries), "deliveries"),
  sweep("sequence-log", "deliver", 1_000, counted("logged_entries", sweepLog), "log"),
  sweep("purge-aged-files", "purge", 600_000, counted("purged_revisions", sweepAgedFiles)),
  sweep("remove-departed-texts", "purge", 3_600_000, counted("removed_departed_texts", sweepDepartedTexts)),
  sweep("finish-erasures", "purge", 60_000, counted("finished_erasures", sweepErasures)),
  sweep("sweep-uploads", "inspect", 10_000, counted("restarted_uploads", sweepUploads)),
  lostWork("inspect"),
  lostWork("draw"),
  lostWork("feed"),
  sweep("sweep-parquet", "inspect", 10_000, counted("ordered_parquet", sweepParquet)),
  sweep("ask-again", "inspect", 60_000, counted("ordered_questions", sweepUnsaidQuestions)),
  sweep("ask-standing", "inspect", 60_000, counted("ordered_standing", sweepStanding)),
  sweep("rewrite-search-texts", "feed", 60_000, counted("rewritten_search_texts", sweepSearchMarks)),
  sweep("sweep-expired-uploads", "purge", 60_000, counted("expired_uploads", sweepExpiredUploads)),
  sweep("sweep-lost-exports", "purge", 30_000, counted("enqueued_exports", sweepLostExports)),
  sweep("purge-expired-exports", "purge", 600_000, counted("expired_exports", sweepExpiredExports)),
  sweep("recheck-domains", "purge", 600_000, counted("checked_domains", sweepDomains)),
  sweep("count-texts", "purge", 10_000, counted("counted_texts", sweepTexts)),
  sweep("delete-expired", "purge", 600_000, sweepExpiredRows),
  sweep("delete-mails", "purge", 3_600_000, counted("deleted_mails", sweepMails)),
  sweep("write-removals", "purge", 10_000, counted("listed_removals", sweepRemovals)),
  sweep("sweep-orphan-files", "purge", 3_600_000, counted("orphan_files", sweepOrphanFiles)),
];

/** What the version before draws until its last process ends is kept for a day. */
async function sweepTexts({ pool, now }: Deps): Promise<number> {
  return await countTextsOfBefore(pool, now() - DAY_MS);
}

function sweep(
  name: string,
  worker: WorkerName,
  everyMs: number,
  run: Sweep["run"],
  wokenBy?: OutboxName,
): Sweep {
  return { name, worker, everyMs, run, wokenBy };
}

/** A process finds the lost work of its own workers, and the questions that triggers note as soon as they are noted. */
function lostWork(worker: WorkerName): Sweep {
  const wokenBy = worker === CATALOGUE["ask-standing"].worker ? "questions" : undefined;
  return sweep("enqueue-lost-work", worker, 10_000, (deps) => enqueueLostWork(deps, worker), wokenBy);
}

function counted(name: string, run: (deps: Deps) => Promise<number>): Sweep["run"] {
  return async (deps) => ({ [name]: await run(deps) });
}

/** Runs every sweep once, one after the other; returns what all of them counted. */
export async function sweepAll(deps: Deps): Promise<Counts> {
  const all: Counts = {};
  for (const sweep of SWEEPS) {
    for (const [name, count] of Object.entries(await sweep.run(deps))) all[name] = (all[name] ?? 0) + count;
  }
  return all;
}

const BATCH = 1_000;
/** A run takes seconds, not minutes; the next run deletes the rest. */
const MOST_BATCHES = 500;

/** Deletes all rows that are past their time; returns the count of each kind. */
export async function sweepExpiredRows(deps: Deps): Promise<Record<string, number>> {
  const { idempotencyHours, eventDays } = deps.config.limits;
  const kept = {
    answersMs: idempotencyHours * HOUR_MS,
    eventsMs: eventDays * DAY_MS,
    invitationsMs: COUNTED_MS,
  };
  const nowMs = deps.now();
  const counted: Record<string, number> = {};
  for (const rows of listExpiringRows(kept)) {
    counted[rows.counts] = (counted[rows.counts] ?? 0) + (await deleteInBatches(deps, rows, nowMs));
  }
  return counted;
}

/** A thousand in a transaction: none locks many rows or meets the statement timeout, and the work of a killed run stays. */
async function deleteInBatches(deps: Deps, { keptMs, forget }: ExpiringRows, nowMs: number): Promise<number> {
  let count = 0;
  for (let batch = 0; batch < MOST_BATCHES; batch++) {
    const forgotten = await deps.pool.transaction((tx) => forget(tx, nowMs - keptMs, BATCH));
    count += forgotten;
    if (forgotten < BATCH) break;
  }
  return count;
}
