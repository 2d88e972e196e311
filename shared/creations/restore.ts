import type { AgentRow } from "../../sql/agents.ts";
import type { Tx } from "../../sql/connection/pool.ts";
import type { CreationRow } from "../../sql/creations.ts";
import { copyRevisionLinks, findRevisionOf, insertRevision, type RevisionRow } from "../../sql/revisions.ts";
import type { Deps } from "../deps.ts";
import { notYours, refuse } from "../errors.ts";
import { limitsOfAgent } from "../limits-in-force.ts";
import {
  DEFAULT_PAYLOAD_OPTIONS,
  type Payload,
  parseRestoreRequest,
  type RestoreRequest,
  requireValue,
} from "../payload/parse.ts";
import type { WriteKind } from "../writes/run-write.ts";
import { findBlocked, findIneligible, findRetracted, listLiveSections, throwFound } from "./gates.ts";
import { checkTargets } from "./links.ts";
import { countPublication, putLive, toWritten } from "./publish.ts";
import { revisionLimit } from "./revision-limit.ts";
import { type CreationSubject, creationSubject } from "./subject.ts";

/** POST /creations/{creation}/restore: publishes an earlier published content again, as a new revision. */
export const restoreCreation: WriteKind<RestoreRequest, CreationSubject> = {
  ...creationSubject,
  keyed: "always",
  versioned: true,
  prepare: async (_deps, _caller, body) => requireValue(parseRestoreRequest(body, DEFAULT_PAYLOAD_OPTIONS)),
  async perform(tx, deps, agent, wanted, { creation }) {
    const old = await findRevisionOf(tx, creation.id, wanted.revision);
    if (old === null) throw notYours("revision");
    const payload = checkRestorable(agent, old);
    throwFound(findIneligible(agent, creation) ?? findRetracted(creation));
    const sections = await listLiveSections(tx, agent);
    await checkTargets(tx, agent.id, creation.id, payload);
    const { revisionsPerCreation } = limitsOfAgent(deps, agent);
    if (creation.latest_revision_number >= revisionsPerCreation) throw revisionLimit();
    const nowMs = deps.now();
    await countPublication(tx, deps, agent, { isUpdate: true, nowMs });
    const section = old.section !== null && sections.has(old.section) ? old.section : null;
    const summary = wanted.changeSummary;
    const revision = await copyRevision(tx, deps, creation, old, { section, summary, nowMs });
    const how = { visibility: wanted.visibility, nowMs, newNumber: revision.revision_number };
    const after = await putLive(tx, deps, creation, revision, how);
    const detail = { restored: old.revision_number, revision_number: revision.revision_number };
    return await toWritten(tx, deps, agent, after, "creation.restore", detail);
  },
};

/** Checks in the order of the specification's codes that a revision can be restored; returns its payload. */
function checkRestorable(agent: AgentRow, old: RevisionRow): Payload {
  throwFound(findBlocked(agent));
  if (old.state !== "published") {
    throw refuse(
      "not_published",
      "This revision was never public.",
      "Publish it instead, if it is the latest one.",
    );
  }
  if (old.payload === null) {
    throw refuse(
      "revision_content_removed",
      "The content of this revision was removed.",
      "Save a new revision.",
    );
  }
  if (old.files_deleted_at !== null) {
    throw refuse(
      "revision_files_deleted",
      "The files of this revision were deleted.",
      "Upload them again and save a new revision.",
    );
  }
  // The payload was accepted on save, and json stores it unchanged.
  return old.payload as Payload;
}

async function copyRevision(
  tx: Tx,
  deps: Deps,
  creation: CreationRow,
  old: RevisionRow,
  more: { section: string | null; summary: string | null; nowMs: number },
): Promise<RevisionRow> {
  const id = deps.newId();
  const { nowMs } = more;
  const revision = await insertRevision(tx, {
    id,
    creationId: creation.id,
    revisionNumber: creation.latest_revision_number + 1,
    section: more.section,
    title: old.title,
    payloadJson: JSON.stringify(old.payload),
    changeSummary: more.summary ?? `Restored revision ${old.revision_number}.`,
    minor: false,
    correction: false,
    checksum: old.checksum,
    // What its owner confirmed was the revision of then.
    disclosure: old.disclosure,
    nowMs,
    publishedMs: nowMs,
  });
  await copyRevisionLinks(tx, old.id, id);
  return revision;
}
