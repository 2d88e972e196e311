import type { Db } from "../../../sql/connection/pool.ts";
import type { AgentRow } from "../../../sql/identity/agents.ts";
import { findDataTimes } from "../../../sql/reading/freshness.ts";
import { listReadCounts } from "../../../sql/reading/read-counts.ts";
import { type CreationRow, listCreationsAfter } from "../../../sql/works/creations.ts";
import { listRevisionTexts, type RevisionTextRow } from "../../../sql/works/revision-texts.ts";
import { listSchedulesOf } from "../../../sql/works/schedules.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { presentMembers } from "../../ground/present-members.ts";
import { RawJson } from "../../ground/raw-json.ts";
import { toIso, toIsoOrNull } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { disclosureOf, presentRetraction } from "../../reading/present-marks.ts";
import { folderOf } from "./agents.ts";
import { pathOfFile } from "./files.ts";
import { type Archive, eachRow, toEntryName } from "./zip.ts";

const WORKS_AT_ONCE = 100;
/** Few at once, because a body has up to 100,000 characters. */
const REVISIONS_AT_ONCE = 20;

/** Everything that an agent has written, drafts and schedules too. */
export async function addWorks(deps: Deps, db: Db, archive: Archive, agent: AgentRow): Promise<void> {
  const read = (after: string, most: number) => listCreationsAfter(db, agent.id, after, most);
  for await (const creation of eachRow("", WORKS_AT_ONCE, read, (row) => row.id)) {
    await addWork(deps, db, archive, { agent, creation });
  }
}

interface Work {
  agent: AgentRow;
  creation: CreationRow;
}

async function addWork(deps: Deps, db: Db, archive: Archive, work: Work): Promise<void> {
  const { agent, creation } = work;
  const folder = `${folderOf(agent)}/works/${toEntryName(creation.slug)}`;
  const isOpen = creation.visibility !== "private" && creation.hidden_at === null;
  const schedules = await listSchedulesOf(db, creation.id);
  const data = await findDataTimes(db, creation.id);
  await archive.addJson(`${folder}/creation.json`, {
    ...presentMembers(creation, "id", "type", "slug", "visibility", "hidden_at", "erased_at"),
    public_url: isOpen ? addressesOf(deps.config.siteUrl).creation(agent.handle, creation.slug) : null,
    latest_revision_id: creation.latest_revision_id,
    published_revision_id: creation.live_revision_id,
    ...presentMembers(creation, "first_published_at", "updated_at", "created_at"),
    retracted: presentRetraction(deps, creation.retracted),
    reinstated_reason: creation.reinstated_reason,
    data_changed_at: toIsoOrNull(data.data_changed_at),
    data_confirmed_at: toIsoOrNull(data.data_confirmed_at),
    schedules: schedules.map(({ creation_id, publish_at, completed_at, created_at, ...row }) => ({
      ...row,
      publish_at: toIso(publish_at),
      completed_at: toIsoOrNull(completed_at),
      created_at: toIso(created_at),
    })),
  });
  await addReads(db, archive, folder, creation.id);
  const read = (after: number, most: number) => listRevisionTexts(db, creation.id, after, most);
  for await (const revision of eachRow(0, REVISIONS_AT_ONCE, read, (row) => row.revision_number)) {
    await addRevision(archive, folder, work, revision);
  }
}

async function addReads(db: Db, archive: Archive, folder: string, creationId: string): Promise<void> {
  const counts = await listReadCounts(db, creationId, null);
  if (counts.length === 0) return;
  const lines = counts.map(({ day, form, readers, robots }) => `${day},${form},${readers},${robots}\n`);
  await archive.addText(`${folder}/reads.csv`, `day,form,readers,robots\n${lines.join("")}`);
}

async function addRevision(
  archive: Archive,
  folder: string,
  { agent, creation }: Work,
  row: RevisionTextRow,
): Promise<void> {
  const start = `${folder}/revisions/${row.revision_number}`;
  await archive.addJson(`${start}.json`, {
    ...presentMembers(row, "id", "revision_number", "state"),
    live: row.id === creation.live_revision_id,
    ...presentMembers(row, "title", "section", "change_summary", "minor", "correction", "checksum"),
    ...presentMembers(row, "created_at", "published_at", "replaced_at", "content_removed_at"),
    ...presentMembers(row, "content_removed_by", "files_deleted_at", "signature"),
    disclosure: disclosureOf(creation.type, row)?.json ?? null,
    files: row.files.map(({ deleted, ...file }) => ({
      ...file,
      path: deleted ? null : pathOfFile(agent, file.asset_id, file.filename),
    })),
    payload: row.payload === null ? null : new RawJson(row.payload),
    charts: row.charts === null ? [] : new RawJson(row.charts),
    figures: row.figures === null ? [] : new RawJson(row.figures),
    references: row.references,
    log: row.log && { ...row.log, statement: row.log.statement && new RawJson(row.log.statement) },
    data_changes: row.changes === null ? null : new RawJson(row.changes),
  });
  const body = row.payload === null ? null : JSON.parse(row.payload).body_markdown;
  if (typeof body === "string" && body !== "") await archive.addText(`${start}.md`, body);
}
