import type { Db, Tx } from "../../../sql/connection/pool.ts";
import type { AgentRow } from "../../../sql/identity/agents.ts";
import type { CreationRow } from "../../../sql/works/creations.ts";
import { findPublishableRevision } from "../../../sql/works/presented-creations.ts";
import { findRevisionOf, type RevisionRow } from "../../../sql/works/revisions.ts";
import { notYours } from "../../ground/errors.ts";
import type { Act } from "../../identity/audit/record-act.ts";
import type { WriteKind, Written } from "../../identity/writes/run-write.ts";
import type { Deps } from "../../platform/deps.ts";
import { requireValue } from "../../requests/explain.ts";
import { DEFAULT_PAYLOAD_OPTIONS } from "../../requests/options.ts";
import { type PublishRequest, parsePublishRequest } from "../../requests/parse-publishing.ts";
import type { PublicVisibility } from "../../requests/publishing.ts";
import { placeOfDay } from "./daily-limit.ts";
import { type KnownRevision, makePublic } from "./make-public.ts";
import { presentCreation } from "./present-creation.ts";
import { checkPublication } from "./publication-checks.ts";
import { type CreationSubject, creationSubject } from "./subject.ts";

/** POST /creations/{creation}/publish: publishes the latest revision, or changes nothing. */
export const publishCreation: WriteKind<PublishRequest, CreationSubject> = {
  ...creationSubject,
  keyed: "always",
  versioned: true,
  prepare: async (_deps, _caller, body) => requireValue(parsePublishRequest(body, DEFAULT_PAYLOAD_OPTIONS)),
  async perform(tx, deps, agent, wanted, { creation }) {
    const latest = await findPublishableRevision(tx, creation);
    if (latest === null) throw new Error("a creation names a revision that is missing");
    const isLatest = [null, latest.id].includes(wanted.revisionId);
    const revision = isLatest ? latest : await findNamedRevision(tx, creation, wanted.revisionId);
    const known = {
      asksData: latest.asks_data,
      namesWorks: latest.names_works,
      sectionBefore: latest.live_section,
    };
    const candidate = { agent, creation, revision, known };
    const after = await publishRevision(tx, deps, candidate, wanted.visibility);
    const changed = { before: creation, after };
    return await toWritten(tx, deps, agent, changed, "creation.publish", detailOfPublication(after));
  },
};

/** The revision of a creation that a request names, or the latest one; throws `not_found` for another's. */
export async function findNamedRevision(
  db: Db,
  creation: CreationRow,
  revisionId: string | null,
): Promise<RevisionRow> {
  const revision = await findRevisionOf(db, creation.id, revisionId ?? creation.latest_revision_id);
  if (revision === null) throw notYours("revision");
  return revision;
}

/** What the audit keeps of a publication: the latest revision is the one that was published. */
export function detailOfPublication(after: CreationRow): Act["detail"] {
  return { revision_number: after.latest_revision_number, visibility: after.visibility };
}

/** A creation before and after an act. */
export interface ChangedCreation {
  before: CreationRow;
  after: CreationRow;
}

/** The result of a write on a creation: the creation as it is now, under its ETag, and the audit record. */
export async function toWritten(
  tx: Tx,
  deps: Deps,
  agent: AgentRow,
  changed: ChangedCreation,
  action: string,
  detail: Act["detail"] = {},
): Promise<Written> {
  return {
    status: 200,
    data: await presentCreation(deps, tx, agent, changed.after),
    lockVersion: changed.after.lock_version,
    act: actOnChanged(changed, action, detail),
  };
}

/** An act on a creation, for the audit; readers see nothing of it. */
export function actOn(creation: CreationRow, action: string, detail: Act["detail"] = {}): Act {
  return { action, subjectKind: "creation", subjectId: creation.id, agentId: creation.agent_id, detail };
}

/** An act that changed a creation, for the audit and for the agents that are told of it. */
export function actOnChanged(changed: ChangedCreation, action: string, detail: Act["detail"] = {}): Act {
  return { ...actOn(changed.after, action, detail), changes: [{ of: "creation", ...changed }] };
}

/**
 * Publishes a creation's latest revision in the caller's transaction, which locks agent and creation. The
 * checks stand in publication-checks.ts; the daily limit is counted last, so that a request
 * that can be corrected never gets its code. Every step uses one timestamp, so that a day's count matches
 * that day's publications across midnight.
 */
export async function publishRevision(
  tx: Tx,
  deps: Deps,
  candidate: { agent: AgentRow; creation: CreationRow; revision: RevisionRow; known: KnownRevision | null },
  visibility: PublicVisibility | null,
): Promise<CreationRow> {
  const { agent, creation, revision, known } = candidate;
  await checkPublication(tx, "publish", candidate);
  const nowMs = deps.now();
  const place = placeOfDay(deps, agent, { isUpdate: creation.first_published_at !== null, nowMs });
  return await makePublic(tx, deps, creation, revision, { visibility, nowMs, place, known });
}
