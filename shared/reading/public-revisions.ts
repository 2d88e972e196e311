import { listStatsOfRevision } from "../../sql/datasets/statistics.ts";
import { type ChangeRow, listChanges } from "../../sql/reading/open-changes.ts";
import type { OpenCreationRow } from "../../sql/reading/open-creations.ts";
import { findRevisionOf, type RevisionRow } from "../../sql/works/revisions.ts";
import { renderBody } from "../datasets/drawings/render-body.ts";
import type { RenderContext } from "../datasets/render-context.ts";
import { listShownFiles } from "../datasets/uploads/public-files.ts";
import { showFiles } from "../datasets/uploads/statistics.ts";
import { addressesOf } from "../ground/addresses.ts";
import { notFound } from "../ground/errors.ts";
import { toIso, toIsoOrNull } from "../ground/times.ts";
import type { Deps } from "../platform/deps.ts";
import { textOf } from "../requests/payload-members.ts";
import { STATS_VERSION } from "../tables/statistics/measure-file.ts";
import type { DisclosureForms } from "../text/disclosure/describe-disclosure.ts";
import { readBoundData, showBoundData } from "./checked-figures.ts";
import { disclosureOf } from "./present-disclosure.ts";
import { presentChange, presentPublicCreation, showMembers } from "./public-creation.ts";

/** More than a creation may have. */
const EVERY = 1000;

/** Every published revision of an open creation, newest first, as the list of revisions shows it. */
export async function listPublishedRevisions(deps: Deps, creation: OpenCreationRow) {
  const rows = await listChanges(deps.pool, creation.id, { limit: EVERY });
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
  const published = toPublishedPayload(creation, row);
  if (published === null) return { revision, published, content: null };
  const { payload, made } = published;
  const { handle, slug } = creation;
  const chartsAt = addressesOf(deps.config.siteUrl).charts(handle, slug, row.revision_number);
  const [bodyHtml, listed, stats] = await Promise.all([
    renderText(context, row.id, payload, chartsAt),
    listShownFiles(deps, row.id),
    listStatsOfRevision(deps.pool, row.id, STATS_VERSION),
  ]);
  const files = showFiles(context, listed, stats);
  const content = {
    ...{ title: row.title, ...showMembers(payload), bodyHtml },
    ...{ files, showPreview: payload.show_preview !== false, made },
  };
  return { revision, published, content };
}

async function renderText(
  context: RenderContext,
  revisionId: string,
  payload: Record<string, unknown>,
  chartsAt: string,
): Promise<string | null> {
  const text = payload.body_markdown;
  if (typeof text !== "string") return null;
  const bound = await readBoundData(context.deps, revisionId);
  const shown = showBoundData(context.deps, revisionId, bound);
  return await renderBody(context, text, { chartsAt, ...shown });
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

/** A published revision whose content was not removed. */
export interface PublishedPayload {
  id: string;
  title: string;
  revision_number: number;
  published_at: number;
  checksum: string;
  payload: Record<string, unknown>;
  made: DisclosureForms | null;
}

/**
 * An open creation's published revision by its number, or the live one without; null where its content was removed.
 * Throws `not_found` for a revision that was not published.
 */
export async function findPublishedPayload(
  deps: Deps,
  creation: OpenCreationRow,
  number: string | null,
): Promise<PublishedPayload | null> {
  return toPublishedPayload(
    creation,
    number === null ? creation.revision : await findPublished(deps, creation, number),
  );
}

function toPublishedPayload(creation: OpenCreationRow, row: RevisionRow): PublishedPayload | null {
  if (row.payload === null) return null;
  const { id, title, revision_number, checksum, payload } = row;
  return {
    id,
    title,
    revision_number,
    checksum,
    payload,
    made: disclosureOf(creation.type, row),
    published_at: row.published_at ?? creation.updated_at,
  };
}

/** The text of a published revision. */
export interface PublishedText {
  revision_id: string;
  title: string;
  markdown: string;
  revision_number: number;
  published_at: number;
  checksum: string;
  made: DisclosureForms | null;
}

/**
 * The text of an open creation's published revision by its number, or of the live one without; null where its content
 * was removed. Throws `not_found` for a revision that was not published.
 */
export async function findPublishedText(
  deps: Deps,
  creation: OpenCreationRow,
  number: string | null,
): Promise<PublishedText | null> {
  const revision = await findPublishedPayload(deps, creation, number);
  if (revision === null) return null;
  const { id, title, revision_number, published_at, checksum, payload, made } = revision;
  const markdown = textOf(payload, "body_markdown") ?? "";
  return { revision_id: id, title, markdown, revision_number, published_at, checksum, made };
}

/** The last publication up to a revision that was not minor. */
async function findUpdate(deps: Deps, creation: OpenCreationRow, upTo: number): Promise<number> {
  const rows = await listChanges(deps.pool, creation.id, { limit: EVERY, upTo });
  return rows.find(({ minor }) => !minor)?.published_at ?? creation.first_published_at;
}

/** A published revision of an open creation by its number; throws `not_found` for any other. */
export async function findPublished(deps: Deps, creation: OpenCreationRow, number: string) {
  const asked = readRevisionNumber(number);
  const row = asked === null ? null : await findRevisionOf(deps.pool, creation.id, asked);
  if (row === null || row.state !== "published" || row.published_at === null)
    throw notFound("published revision");
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
    checksum: row.checksum,
    content_removed_at: toIsoOrNull(row.content_removed_at),
    files_deleted_at: toIsoOrNull(row.files_deleted_at),
  };
}
