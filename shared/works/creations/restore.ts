import type { Db, Tx } from "../../../sql/connection/pool.ts";
import type { AgentRow } from "../../../sql/identity/agents.ts";
import { listCorrections } from "../../../sql/reading/corrections.ts";
import type { CreationRow } from "../../../sql/works/creations.ts";
import {
  copyRevisionLinks,
  findRevisionOf,
  insertRevision,
  type RevisionRow,
} from "../../../sql/works/revisions.ts";
import { NO_EVIDENCE, type ToldEvidence } from "../../datasets/evidence/describe-evidence.ts";
import { EXCEPT_SHARED } from "../../datasets/uploads/public-files.ts";
import { noRevision, type Refusal, refuse, validationFailed } from "../../ground/errors.ts";
import { attempt, type Judge, judgeFound, throwAtOnce } from "../../identity/writes/judge.ts";
import type { WriteKind } from "../../identity/writes/run-write.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Threads } from "../../platform/threads/open.ts";
import { requireValue } from "../../requests/explain.ts";
import { parseRestoreRequest, type RestoreRequest } from "../../requests/parse-publishing.ts";
import type { Payload } from "../../requests/payloads.ts";
import { findSaveLimit, judgeTexts, placeOfDay } from "./limits.ts";
import { checkTargets } from "./links.ts";
import {
  findBlocked,
  findHidden,
  findRetracted,
  findWithoutFrontPage,
  listLiveSections,
  type Warning,
} from "./publication-checks.ts";
import { askOfRevision, detailOfPublication, makePublic, toWritten } from "./publish.ts";
import { type CreationSubject, creationSubject } from "./subject.ts";

/** POST /creations/{creation}/restore: publishes an earlier published content again, as a new revision. */
export const restoreCreation = (
  threads: Threads,
): WriteKind<RestoreRequest & { evidence: ToldEvidence }, CreationSubject> => ({
  ...creationSubject,
  async prepare(deps, _caller, body, { creation }) {
    const wanted = requireValue(parseRestoreRequest(body));
    const old = await findRevisionOf(deps.pool, creation.id, wanted.revision);
    const evidence = old === null ? NO_EVIDENCE : await askOfRevision(deps, threads, creation, old.id);
    return { ...wanted, evidence };
  },
  async perform(tx, deps, agent, { evidence, ...wanted }, { creation }) {
    const old = await passRestoreGates(tx, deps, { agent, creation, revision: wanted.revision }, throwAtOnce);
    if (old === null) throw new Error("a revision was refused, and its judge threw nothing");
    const warnings = wanted.correction ? [] : await findUndoneCorrection(tx, creation, old);
    const sections = await listLiveSections(tx, agent);
    const nowMs = deps.now();
    const section = old.section !== null && sections.has(old.section) ? old.section : null;
    const { changeSummary: summary, correction } = wanted;
    const more = { section, summary, correction, created_at: nowMs };
    const revision = await copyRevision(tx, deps, creation, old, more);
    const newNumber = revision.revision_number;
    const place = placeOfDay(deps, agent, { isUpdate: true, nowMs });
    const how = { visibility: wanted.visibility, nowMs, newNumber, place, evidence: evidence.found };
    const after = await makePublic(tx, deps, creation, revision, how);
    const detail = { restored: old.revision_number, ...detailOfPublication(after) };
    const changed = { before: creation, after };
    const written = await toWritten(tx, deps, agent, changed, "creation.restore", detail);
    return { ...written, warnings, beside: evidence.beside };
  },
});

/** Warns where restoring a revision ends the notice of the newest correction; a correction of its own takes the place. */
export async function findUndoneCorrection(
  db: Db,
  creation: CreationRow,
  old: Pick<RevisionRow, "id" | "creation_id" | "revision_number">,
): Promise<Warning[]> {
  // A draft since has the live revision among its ancestors.
  const [newest] = await listCorrections(db, { id: creation.latest_revision_id, creation_id: creation.id });
  if (newest === undefined) return [];
  const { revision_number: by, corrected_number: corrected } = newest;
  const kept = await listCorrections(db, old);
  if (kept.some(({ revision_number }) => revision_number === by)) return [];
  const restored = old.revision_number;
  const message =
    restored === corrected
      ? `Revision ${restored} is the one that revision ${by} corrected.`
      : `Revision ${restored} is without the correction of revision ${by}.`;
  return [{ code: "correction_undone", field: "revision_id", message }];
}

/** The call names no payload that could be corrected. */
const GONE_TARGETS = "Save a new revision from the payload of this one, without the works that are gone.";

/** What is to be restored: a write has locked agent and creation, a check has them as they are. */
interface Restoring {
  agent: AgentRow;
  creation: CreationRow;
  /** Its id or its number; null where the request names none that can be read. */
  revision: string | number | null;
}

/**
 * Tells the judge what blocks restoring, in the order of the specification's codes, but for the day's limit,
 * which is counted last. The revision to restore; null where there is none.
 */
export async function passRestoreGates(
  db: Db,
  deps: Deps,
  { agent, creation, revision }: Restoring,
  judge: Judge,
): Promise<RevisionRow | null> {
  const old = revision === null ? null : await findRevisionOf(db, creation.id, revision);
  if (old === null && revision !== null) judge(noRevision("revision", creation.latest_revision_number));
  judgeFound(judge, findBlocked(agent));
  if (old !== null) judgeFound(judge, findLost(old));
  judgeFound(judge, findWithoutFrontPage(agent));
  judgeFound(judge, findHidden(agent, creation));
  judgeFound(judge, findRetracted(creation));
  if (old !== null && old.payload !== null) {
    // The payload was accepted on save, and json stores it unchanged.
    const payload = old.payload as Payload;
    const judgeTargets: Judge = ({ errors }) => judge(validationFailed(errors, GONE_TARGETS));
    await attempt(judgeTargets, () => checkTargets(db, agent.id, creation.id, payload));
  }
  judgeFound(judge, findSaveLimit(deps, agent, creation));
  await judgeTexts(judge, db, deps, { agent, payload: old?.payload ?? {} });
  return old;
}

/** The refusal of a revision that was never public, or of which something is gone. */
function findLost({ state, payload, files_deleted_at: deletedAt }: RevisionRow): Refusal | null {
  if (state !== "published") {
    return refuse(
      "not_published",
      "This revision was never public.",
      "Publish it instead, if it is the latest one.",
    );
  }
  if (payload === null) {
    return refuse(
      "revision_content_removed",
      "The content of this revision was removed.",
      "Save a new revision.",
    );
  }
  if (deletedAt === null) return null;
  return refuse(
    "revision_files_deleted",
    `The files of this revision were deleted, ${EXCEPT_SHARED}.`,
    "Upload them again and save a new revision.",
  );
}

async function copyRevision(
  tx: Tx,
  deps: Deps,
  creation: CreationRow,
  old: RevisionRow,
  more: { section: string | null; summary: string | null; correction: boolean; created_at: number },
): Promise<RevisionRow> {
  const id = deps.newId();
  const revision = await insertRevision(tx, {
    id,
    creation_id: creation.id,
    revision_number: creation.latest_revision_number + 1,
    section: more.section,
    title: old.title,
    payload: JSON.stringify(old.payload),
    change_summary: more.summary ?? `Restored revision ${old.revision_number}.`,
    minor: false,
    correction: more.correction,
    restored_number: old.revision_number,
    checksum: old.checksum,
    // What its owner confirmed was the revision of then.
    disclosure: old.disclosure,
    signature: old.signature,
    created_at: more.created_at,
  });
  await copyRevisionLinks(tx, old.id, id);
  return revision;
}
