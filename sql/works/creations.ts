import { z } from "zod";
import {
  at,
  atOrNull,
  command,
  type Db,
  jsonRows,
  sql,
  Timestamp,
  type Tx,
  texts,
} from "../connection/pool.ts";
import { creationIsOpen } from "../reading/open-to-readers.ts";
import { RetractedRow, retractedColumn } from "../reading/retracted.ts";
import { ScheduleRow } from "./schedules.ts";
import { updateVersioned } from "./versioned.ts";

export const Visibility = z.enum(["private", "unlisted", "public"]);
export const CreationType = z.enum(["story", "dataset", "collection", "external_project", "brief", "file"]);
export const RevisionState = z.enum(["draft", "submitted", "changes_requested", "published"]);

export const CreationRow = z.strictObject({
  id: z.string(),
  agent_id: z.string(),
  type: CreationType,
  slug: z.string(),
  visibility: Visibility,
  hidden_at: Timestamp.nullable(),
  latest_revision_id: z.string(),
  latest_revision_number: z.number(),
  live_revision_id: z.string().nullable(),
  first_published_at: Timestamp.nullable(),
  updated_at: Timestamp.nullable(),
  lock_version: z.number(),
  created_at: Timestamp,
  erased_at: Timestamp.nullable(),
  retracted: RetractedRow.nullable(),
  reinstated_reason: z.string().nullable(),
});
export type CreationRow = z.infer<typeof CreationRow>;

const columns = sql.fragment`
  c.id, c.agent_id, c.type, c.slug, c.visibility, c.hidden_at, c.latest_revision_id, c.latest_revision_number, c.live_revision_id,
  c.first_published_at, c.updated_at, c.lock_version, c.created_at, c.erased_at, ${retractedColumn}, c.reinstated_reason`;
export const CREATIONS = { name: sql.fragment`creations AS c`, alias: "c", columns, row: CreationRow };

/** A creation of this agent; null for another agent's. */
export async function findOwnCreation(db: Db, agentId: string, id: string): Promise<CreationRow | null> {
  return await db.maybeOne(sql.type(CreationRow)`
    SELECT ${columns} FROM creations c WHERE c.id = ${id} AND c.agent_id = ${agentId}`);
}

/** A creation by its id. */
export async function findCreationById(db: Db, id: string): Promise<CreationRow | null> {
  return await db.maybeOne(sql.type(CreationRow)`SELECT ${columns} FROM creations c WHERE c.id = ${id}`);
}

/** Locks a creation against other writes until the transaction ends, always after its agent's row. */
export async function lockCreation(tx: Tx, id: string): Promise<CreationRow | null> {
  return await tx.maybeOne(sql.type(CreationRow)`
    SELECT ${columns} FROM creations c WHERE c.id = ${id} FOR NO KEY UPDATE`);
}

/** Sets the newest revision of a creation. */
export async function setLatestRevision(tx: Tx, id: string, revision: { id: string; number: number }) {
  return await updateVersioned(tx, CREATIONS, id, [
    sql.fragment`latest_revision_id = ${revision.id}`,
    sql.fragment`latest_revision_number = ${revision.number}`,
  ]);
}

/** Makes a revision live. `updatedMs` null keeps the time of the last real update, which never goes back, whatever the clock of the process says; `newNumber` is set for a revision created as live. */
export async function setLiveRevision(
  tx: Tx,
  id: string,
  live: {
    revisionId: string;
    visibility: "public" | "unlisted";
    nowMs: number;
    updatedMs: number | null;
    newNumber?: number;
  },
): Promise<CreationRow> {
  const latest =
    live.newNumber === undefined
      ? []
      : [sql.fragment`latest_revision_id = ${live.revisionId}, latest_revision_number = ${live.newNumber}`];
  return await updateVersioned(tx, CREATIONS, id, [
    ...latest,
    sql.fragment`live_revision_id = ${live.revisionId}, visibility = ${live.visibility}`,
    sql.fragment`first_published_at = COALESCE(first_published_at, ${at(live.nowMs)})`,
    sql.fragment`updated_at = GREATEST(updated_at, ${atOrNull(live.updatedMs)})`,
  ]);
}

/** Raises the version of a creation after a change of its schedule or content in another table. */
export async function raiseCreationVersion(tx: Tx, id: string): Promise<CreationRow> {
  return await updateVersioned(tx, CREATIONS, id);
}

/**
 * Raises the page versions of a creation, or of creations with one of these files, so that cached pages
 * expire.
 */
export async function raisePageVersions(tx: Tx, of: { creationId: string; assetIds: readonly string[] }) {
  await tx.query(command`
    UPDATE creations SET page_version = page_version + 1
    WHERE id = ${of.creationId} OR id IN (
      SELECT r.creation_id FROM revision_files f JOIN creation_revisions r ON r.id = f.revision_id
      WHERE f.asset_id = ANY(${texts(of.assetIds)}))`);
}

/** A possible target of a reference, entry or feature: an own creation, or any that readers can open. */
const TargetRow = z.strictObject({
  id: z.string(),
  agent_id: z.string(),
  type: CreationType,
  open: z.boolean(),
  live_number: z.number().nullable(),
});
export type TargetRow = z.infer<typeof TargetRow>;

/** The creations among these ids, and whether readers can open each. */
export async function listTargets(db: Db, ids: readonly string[]): Promise<readonly TargetRow[]> {
  if (ids.length === 0) return [];
  return await db.any(sql.type(TargetRow)`
    SELECT c.id, c.agent_id, c.type,
      ${creationIsOpen} AS open,
      (SELECT r.revision_number FROM creation_revisions r WHERE r.id = c.live_revision_id) AS live_number
    FROM creations c JOIN agents a ON a.id = c.agent_id JOIN owners o ON o.id = a.owner_id
    WHERE c.id = ANY(${sql.array([...ids], "text")})`);
}

const ListRow = CreationRow.extend({
  latest_state: RevisionState,
  latest_title: z.string(),
  latest_section: z.string().nullable(),
  latest_saved_at: Timestamp,
  live_number: z.number().nullable(),
  schedule: ScheduleRow.omit({ creation_id: true }).nullable(),
});
const List = z.strictObject({ rows: z.array(ListRow), total: z.number() });
export type CreationListRow = z.infer<typeof ListRow>;

/** The newest schedule of a creation `c`, as JSON. */
export const scheduleColumns = sql.fragment`
  (SELECT row_to_json(s) FROM (
    SELECT s.id, s.status, s.revision_id, s.publish_at, s.visibility, s.outcome_code, s.outcome_detail,
      s.completed_at, s.created_at
    FROM schedules s WHERE s.creation_id = c.id ORDER BY s.created_at DESC, s.id DESC LIMIT 1) s)`;

interface ListFilter {
  visibility: string | null;
  state: string | null;
}

/** The creations `c` of an agent that a list shows. Without a filter it reads no revision: an agent may have thousands. */
function ownCreations(agentId: string, { visibility, state }: ListFilter) {
  const latest = sql.fragment`JOIN creation_revisions filtered ON filtered.id = c.latest_revision_id`;
  return sql.fragment`creations c ${state === null ? sql.fragment`` : latest}
    WHERE c.agent_id = ${agentId}
      ${visibility === null ? sql.fragment`` : sql.fragment`AND c.visibility = ${visibility}`}
      ${state === null ? sql.fragment`` : sql.fragment`AND filtered.state = ${state}`}`;
}

/**
 * One page of an agent's creations, newest first, each with its latest state and schedule, and how many there are;
 * chosen before anything is joined.
 */
export async function listOwnCreations(
  db: Db,
  agentId: string,
  filter: ListFilter & { limit: number; offset: number },
): Promise<z.infer<typeof List>> {
  const own = ownCreations(agentId, filter);
  const rows = sql.fragment`
    SELECT ${columns}, latest.state AS latest_state, latest.title AS latest_title,
      latest.section AS latest_section, latest.created_at AS latest_saved_at, live.revision_number AS live_number,
      ${scheduleColumns} AS schedule
    FROM (
      SELECT c.* FROM ${own} ORDER BY c.created_at DESC, c.id DESC LIMIT ${filter.limit} OFFSET ${filter.offset}
    ) AS c JOIN creation_revisions latest ON latest.id = c.latest_revision_id
      LEFT JOIN creation_revisions live ON live.id = c.live_revision_id
    ORDER BY c.created_at DESC, c.id DESC`;
  return await db.one(
    sql.type(List)`SELECT ${jsonRows(rows)} AS rows, (SELECT count(*) FROM ${own}) AS total`,
  );
}

/** A collection of the agent that lists a creation. */
export const CollectionRow = z.strictObject({
  id: z.string(),
  title: z.string(),
  slug: z.string(),
  in_published_revision: z.boolean(),
});

/** Hides a creation from readers, or unhides it with null. */
export async function setCreationHidden(tx: Tx, id: string, hiddenMs: number | null): Promise<CreationRow> {
  return await updateVersioned(tx, CREATIONS, id, [sql.fragment`hidden_at = ${atOrNull(hiddenMs)}`]);
}

/** Takes a creation off the site. */
export async function setCreationPrivate(tx: Tx, id: string): Promise<CreationRow> {
  return await updateVersioned(tx, CREATIONS, id, [
    sql.fragment`visibility = 'private', live_revision_id = NULL`,
  ]);
}

/** Makes a creation public or unlisted. */
export async function setCreationVisibility(tx: Tx, id: string, visibility: "public" | "unlisted") {
  return await updateVersioned(tx, CREATIONS, id, [sql.fragment`visibility = ${visibility}`]);
}

/** An agent's creations after a given id, in the order of their ids. */
export async function listCreationsAfter(db: Db, agentId: string, afterId: string, most: number) {
  return await db.any(sql.type(CreationRow)`
    SELECT ${columns} FROM creations c WHERE c.agent_id = ${agentId} AND c.id > ${afterId}
    ORDER BY c.id LIMIT ${most}`);
}
