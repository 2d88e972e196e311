import { type FileRow, listFilesOfRevision } from "../../sql/datasets/revision-files.ts";
import { statsOf } from "../../sql/datasets/statistics.ts";
import { type ChangeRow, changesOf } from "../../sql/reading/open-changes.ts";
import type { LiveRevision, OpenCreationRow } from "../../sql/reading/open-creations.ts";
import { listedEntriesOf, referencesOf } from "../../sql/reading/relations.ts";
import { findRevisionOf, type RevisionRow } from "../../sql/works/revisions.ts";
import { type RenderContext, renderBody } from "../datasets/drawings/render-body.ts";
import { EXCEPT_SHARED, listShownFiles, type ShownFiles } from "../datasets/uploads/public-files.ts";
import { showFiles } from "../datasets/uploads/shown-statistics.ts";
import { addressesOf } from "../ground/addresses.ts";
import { toCanonicalJson } from "../ground/checksum.ts";
import { noRevision, notFound, refuse } from "../ground/errors.ts";
import { presentMembers } from "../ground/present-members.ts";
import { toIso } from "../ground/times.ts";
import type { Deps } from "../platform/deps.ts";
import { languageOf } from "../requests/language.ts";
import { STATS_VERSION } from "../tables/statistics/measure-table.ts";
import { readBoundData, showBoundData } from "./charts/bound-data.ts";
import { disclosureOf } from "./present-marks.ts";
import { presentChange, presentPublicCreation, showMembers } from "./public-creation.ts";

/** More than a creation may have. */
const EVERY = 1000;

/** Every published revision of an open creation, newest first, as the list of revisions shows it. */
export async function listPublishedRevisions(deps: Deps, creation: OpenCreationRow) {
  const rows = await deps.pool.any(changesOf(creation.id, { limit: EVERY }));
  return rows.map((row) => presentRow(deps, creation, row));
}

/** One published revision by its number; its content is null where an owner or moderator removed it. */
export async function getPublishedRevision(
  context: RenderContext,
  creation: OpenCreationRow,
  number: string,
) {
  const { deps } = context;
  const row = await findPublished(deps, creation, number);
  const revision = presentRow(deps, creation, row);
  const published = withContent(creation, row);
  const isSigned = row.signature_counts;
  if (published === null) return { revision, isSigned, published, content: null };
  const { payload } = published;
  const made = disclosureOf(creation.type, row);
  const { handle, slug } = creation;
  const addresses = addressesOf(deps.config.siteUrl);
  const chartsAt = addresses.charts(handle, slug, row.revision_number);
  const page = addresses.creation(handle, slug);
  const [bodyHtml, listed, stats] = await Promise.all([
    renderText(context, row.id, payload, { page, chartsAt }),
    listShownFiles(deps, row),
    deps.pool.any(statsOf(row.id, STATS_VERSION)),
  ]);
  const files = await showFiles(context, listed, stats);
  const content = {
    ...{ title: row.title, ...showMembers(payload), bodyHtml },
    language: languageOf(payload, creation.profile),
    ...{ files, showPreview: payload.show_preview !== false, made },
  };
  return { revision, isSigned, published, content };
}

async function renderText(
  context: RenderContext,
  revisionId: string,
  payload: Record<string, unknown>,
  at: { page: string; chartsAt: string },
): Promise<string | null> {
  const text = payload.body_markdown;
  if (typeof text !== "string") return null;
  const bound = await readBoundData(context.deps, revisionId);
  const shown = showBoundData(context.deps, revisionId, bound, false);
  return await renderBody(context, text, { revisionId, ...at, ...shown });
}

/**
 * One published revision in the members of the creation's JSON as of that revision, with `revision` about itself. Works
 * around it are those that are public now; removed content is null. `made` is how it was made.
 */
export async function presentPublicRevision(deps: Deps, creation: OpenCreationRow, number: string) {
  const row = await findPublished(deps, creation, number);
  const { payload } = row;
  const shown = { ...creation, revision: { ...row, payload: payload ?? {} } };
  const isLive = row.id === creation.revision.id;
  const [data, updatedMs] = await Promise.all([
    presentPublicCreation(deps, shown, row.revision_number),
    isLive ? creation.updated_at : findUpdate(deps, creation, row.revision_number),
  ]);
  const dated = { ...data, updated_at: toIso(updatedMs), revision: presentRow(deps, creation, row) };
  const removed = { title: null, files: [], entries: [], references: [] };
  return {
    data: payload === null ? { ...dated, ...removed } : dated,
    made: disclosureOf(creation.type, row),
  };
}

/**
 * The text whose SHA-256 is the checksum of a published revision. Throws `not_found` where its content was removed, and
 * where it names a work that readers are not shown.
 */
export async function writeChecksummed(
  deps: Deps,
  creation: OpenCreationRow,
  number: string,
): Promise<string> {
  const { id, payload } = await findPublished(deps, creation, number);
  const [files, references, entries] = await Promise.all([
    listFilesOfRevision(deps.pool, id),
    deps.pool.any(referencesOf(id, "listed")),
    deps.pool.any(listedEntriesOf(id)),
  ]);
  const shown = new Set([...references, ...entries].map((work) => work.id));
  const { references: cited = [], entries: listed = [] } = (payload ?? {}) as NamedWorks;
  const named = [...cited.map(({ creation_id }) => creation_id), ...listed];
  if (payload === null || named.some((one) => !shown.has(one))) throw notFound("text of the checksum");
  return toCanonicalJson({ payload, files: files.map(({ content_sha256 }) => content_sha256) });
}

/** The members of a payload that name works. */
interface NamedWorks {
  references?: { creation_id: string }[];
  entries?: string[];
}

/** A published revision whose content was not removed. */
export type PublishedRevision = LiveRevision & { published_at: number };

/**
 * An open creation's published revision by its number, or the live one without; null where its content was removed.
 * Throws `not_found` for a revision that was not published.
 */
export async function findWithContent(
  deps: Deps,
  creation: OpenCreationRow,
  number: string | null,
): Promise<PublishedRevision | null> {
  return withContent(creation, await findAsked(deps, creation, number));
}

async function findAsked(deps: Deps, creation: OpenCreationRow, number: string | null): Promise<RevisionRow> {
  return number === null ? creation.revision : await findPublished(deps, creation, number);
}

function withContent(creation: OpenCreationRow, row: RevisionRow): PublishedRevision | null {
  const { payload, published_at } = row;
  return payload && { ...row, payload, published_at: published_at ?? creation.updated_at };
}

/** A published revision with its files that readers may fetch. */
export interface ShownRevision extends PublishedRevision {
  /** The number in the address; null for the live revision under the address of the work. */
  asked: number | null;
  /** Rejects with 409 where the files were deleted. */
  files: ShownFiles;
}

/**
 * The live revision of an open creation, or a published one by its number. Throws 404 for any other number, 409 where
 * the content was removed or the files were deleted.
 */
export async function getShownRevision(
  deps: Deps,
  creation: OpenCreationRow,
  number: string | null,
): Promise<ShownRevision> {
  const row = await findAsked(deps, creation, number);
  const shown = withContent(creation, row);
  if (shown === null)
    throw refuse(
      "revision_content_removed",
      `The content of revision ${row.revision_number} was removed.`,
      "Its number, times and checksum stay on record: see data.revisions_json_url of the public JSON.",
    );
  const asked = number === null ? null : row.revision_number;
  return { ...shown, asked, files: listFiles(deps, row) };
}

async function listFiles(
  deps: Deps,
  { id, revision_number: number, files_deleted_at }: RevisionRow,
): Promise<readonly FileRow[]> {
  const listed = await listFilesOfRevision(deps.pool, id);
  const files = listed.filter((file) => file.file_deleted_at === null);
  if (files_deleted_at !== null || (files.length === 0 && listed.length > 0))
    throw refuse(
      "revision_files_deleted",
      `The files of revision ${number} were deleted, ${EXCEPT_SHARED}.`,
      "Ask for the same document of the work itself, without a revision.",
    );
  return files;
}

/** The last publication up to a revision that was not minor. */
async function findUpdate(deps: Deps, creation: OpenCreationRow, upTo: number): Promise<number> {
  const rows = await deps.pool.any(changesOf(creation.id, { limit: EVERY, upTo }));
  return rows.find(({ minor }) => !minor)?.published_at ?? creation.first_published_at;
}

/** A published revision of an open creation by its number; throws `not_found` for any other. */
export async function findPublished(deps: Deps, creation: OpenCreationRow, number: string) {
  const asked = readRevisionNumber(number);
  const row = asked === null ? null : await findRevisionOf(deps.pool, creation.id, asked);
  if (row === null || row.state !== "published" || row.published_at === null)
    throw noRevision("published revision", creation.revision.revision_number);
  return { ...row, published_at: row.published_at };
}

/** The number of a revision in an address; null for any other text. */
export function readRevisionNumber(text: string): number | null {
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : null;
}

function presentRow(deps: Deps, creation: OpenCreationRow, row: ChangeRow) {
  return {
    ...presentChange(deps, creation, row),
    title: row.content_removed_at === null ? row.title : null,
    ...presentMembers(row, "checksum", "content_removed_at", "files_deleted_at"),
  };
}
