import type { Db } from "../../../sql/connection/pool.ts";
import { listFilesOfRevision } from "../../../sql/datasets/revision-files.ts";
import type { AgentRow } from "../../../sql/identity/agents.ts";
import type { CreationListRow, CreationRow } from "../../../sql/works/creations.ts";
import {
  findPresentedCreation,
  type LiveRow,
  type NamedFileRow,
} from "../../../sql/works/presented-creations.ts";
import type { RevisionRow } from "../../../sql/works/revisions.ts";
import type { ScheduleRow } from "../../../sql/works/schedules.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { getById, notYours } from "../../ground/errors.ts";
import { presentMembers } from "../../ground/present-members.ts";
import { toIso, toIsoOrNull } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { disclosureOf, presentRetraction } from "../../reading/present-marks.ts";
import { presentLog } from "../../trust/transparency-log/read-log.ts";

type Named = Pick<AgentRow, "id" | "handle">;

/**
 * The creation resource that every creation endpoint returns (contract section 5 C); throws `not_found` for an id that is
 * not of one of the agent's creations.
 */
export async function presentCreation(deps: Deps, db: Db, agent: Named, id: string | undefined) {
  const latest = await getById("creation", id, (ulid) => findPresentedCreation(db, agent.id, ulid), notYours);
  const { creation, live, schedule, collections, files } = latest;
  return {
    ...presentCore(deps, agent, creation, latest),
    latest_revision: {
      ...presentRevision(deps, agent, creation, latest),
      type: creation.type,
      payload: latest.payload,
      files: files.map((file) => presentFile(deps, file, file.is_deleted)),
    },
    published_revision: live && presentLive(live),
    scheduled_publication: schedule && presentSchedule(schedule),
    collections,
    ...presentTimestamps(creation, latest.created_at),
  };
}

/** A creation without its texts: what an agent needs for its next step. */
export function minimizeCreation(creation: Awaited<ReturnType<typeof presentCreation>>) {
  const { latest_revision: latest, published_revision: live } = creation;
  return {
    ...presentMembers(creation, "id", "type", "slug", "visibility", "review_state", "public_url", "json_url"),
    ...presentMembers(creation, "lock_version"),
    latest_revision: { id: latest.id, revision_number: latest.revision_number, state: latest.state },
    published_revision: live && { id: live.id, revision_number: live.revision_number },
    scheduled_publication: creation.scheduled_publication,
  };
}

/** A creation without the payload of its latest revision, for a reader who wants to know where it stands. */
export function summarizeCreation(creation: Awaited<ReturnType<typeof presentCreation>>) {
  const { payload: _, ...latest } = creation.latest_revision;
  return { ...creation, latest_revision: latest };
}

function presentCore(
  deps: Deps,
  agent: Named,
  creation: CreationRow,
  latest: Pick<RevisionRow, "title" | "section" | "state">,
) {
  const addresses = addressesOf(deps.config.siteUrl);
  const open = creation.visibility !== "private" && creation.hidden_at === null;
  return {
    ...presentMembers(creation, "id", "type", "slug"),
    title: latest.title,
    visibility: creation.visibility,
    // A creation that was taken off the site is a draft again, though its revision was published.
    review_state: creation.visibility === "private" && latest.state === "published" ? "draft" : latest.state,
    public_url: open ? addresses.creation(agent.handle, creation.slug) : null,
    json_url: open ? addresses.creationJson(agent.handle, creation.slug) : null,
    section: latest.section,
    retracted: presentRetraction(deps, creation.retracted),
  };
}

/** Before the first publication, the newest save is the last real update. */
function presentTimestamps(creation: CreationRow, latestSavedMs: number) {
  return {
    first_published_at: toIsoOrNull(creation.first_published_at),
    updated_at: toIso(creation.updated_at ?? latestSavedMs),
    created_at: toIso(creation.created_at),
    lock_version: creation.lock_version,
  };
}

function presentLive(live: LiveRow) {
  return presentMembers(live, "id", "revision_number", "state", "title", "checksum", "published_at");
}

/** A revision summary (contract section 5 E). */
export function presentRevision(
  deps: Deps,
  agent: Named,
  creation: CreationRow,
  revision: Omit<RevisionRow, "payload">,
) {
  const addresses = addressesOf(deps.config.siteUrl);
  const open = creation.visibility !== "private" && creation.hidden_at === null;
  return {
    ...presentMembers(revision, "id", "creation_id", "revision_number", "state", "title", "section"),
    ...presentMembers(revision, "change_summary", "minor", "correction", "checksum", "created_at"),
    ...presentMembers(revision, "published_at", "replaced_at", "content_removed_at", "content_removed_by"),
    ...presentMembers(revision, "files_deleted_at"),
    disclosure: disclosureOf(creation.type, revision)?.json ?? null,
    log: presentLog(deps, { handle: agent.handle, slug: creation.slug }, revision),
    signature: revision.signature,
    url:
      open && revision.state === "published"
        ? addresses.revision(agent.handle, creation.slug, revision.revision_number)
        : null,
  };
}

/** The files of a revision as their agent sees them. */
export async function presentFilesOf(deps: Deps, db: Db, revisionId: string) {
  const files = await listFilesOfRevision(db, revisionId);
  return files.map((file) => presentFile(deps, file, file.file_deleted_at !== null));
}

function presentFile(deps: Deps, file: NamedFileRow, isDeleted: boolean) {
  return {
    ...presentMembers(file, "asset_id", "label", "notes", "format", "filename", "bytes", "content_sha256"),
    download_url: isDeleted ? null : addressesOf(deps.config.siteUrl).assetContent(file.asset_id),
  };
}

/** A schedule object (spec: Schedule). */
export function presentSchedule(row: Omit<ScheduleRow, "creation_id">) {
  return {
    ...presentMembers(row, "id", "status", "revision_id", "publish_at", "visibility", "outcome_code"),
    ...presentMembers(row, "outcome_detail", "completed_at", "created_at"),
  };
}

/** An item of GET /creations (contract section 5 D). */
export function presentListed(deps: Deps, agent: Named, row: CreationListRow) {
  const latest = { title: row.latest_title, section: row.latest_section, state: row.latest_state };
  return {
    ...presentCore(deps, agent, row, latest),
    latest_revision: {
      id: row.latest_revision_id,
      revision_number: row.latest_revision_number,
      state: row.latest_state,
    },
    published_revision:
      row.live_revision_id === null
        ? null
        : { id: row.live_revision_id, revision_number: row.live_number, state: "published" },
    scheduled_publication: row.schedule && presentSchedule(row.schedule),
    ...presentTimestamps(row, row.latest_saved_at),
  };
}
