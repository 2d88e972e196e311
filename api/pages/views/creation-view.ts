import { type DataChanges, describeFiles } from "../../../shared/datasets/changes/list-data-changes.ts";
import { renderBody } from "../../../shared/datasets/drawings/render-body.ts";
import { showParquet } from "../../../shared/datasets/parquet/shown-parquet.ts";
import type { RenderContext } from "../../../shared/datasets/render-context.ts";
import { listShownFiles, type ShownFiles } from "../../../shared/datasets/uploads/public-files.ts";
import { showFiles } from "../../../shared/datasets/uploads/statistics.ts";
import { addressesOf } from "../../../shared/ground/addresses.ts";
import { toIsoOrNull } from "../../../shared/ground/times.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import { showBoundData } from "../../../shared/reading/checked-figures.ts";
import { countHoursSince } from "../../../shared/reading/freshness/age.ts";
import { getCitation } from "../../../shared/reading/metadata/citations.ts";
import { listKeywords } from "../../../shared/reading/metadata/describe-work.ts";
import { linkRevision } from "../../../shared/reading/metadata/link-revision.ts";
import { disclosureOf } from "../../../shared/reading/present-disclosure.ts";
import { presentRetraction } from "../../../shared/reading/present-retraction.ts";
import { listShownChanges, presentPublicCreation } from "../../../shared/reading/public-creation.ts";
import { presentManager } from "../../../shared/reading/public-profile.ts";
import { showPins } from "../../../shared/reading/relations/present-relations.ts";
import { textOf } from "../../../shared/requests/payload-members.ts";
import { readProfile } from "../../../shared/requests/stored-profile.ts";
import type { ParquetForm } from "../../../shared/text/metadata/described-work.ts";
import { listWorkLinks } from "../../../shared/text/metadata/work-links.ts";
import type { CreationPageView, MetadataView } from "../site/creation-view.ts";
import { type ArtSource, showCreationArt } from "./art-views.ts";
import { toCitationView } from "./citation-view.ts";
import { linkDiffs } from "./diff-links.ts";
import { nameOf, toPerson } from "./people.ts";
import { siteView } from "./site-view.ts";

type OpenCreation = Parameters<typeof presentPublicCreation>[1];

/**
 * The view of a creation's page: its public JSON with the data that only the page shows. A private page has its artwork
 * inline; `shown` spares a second reading of the files.
 */
export async function toCreationView(
  context: RenderContext,
  creation: OpenCreation,
  { source, shown }: { source: ArtSource; shown?: ShownFiles },
): Promise<CreationPageView> {
  const { deps } = context;
  const listed = shown ?? listShownFiles(deps, creation.revision.id);
  const isPublished = source === "published";
  const dataChanges = listShownChanges(deps, creation);
  const presented = presentPublicCreation(deps, creation, listed, null, dataChanges);
  // Each part asks as soon as it can for what it needs: reads of one moment are one statement.
  const [data, references, files, art, bodyHtml, citation, metadata, parquet] = await Promise.all([
    presented,
    presented.then((data) => showPins(deps, data.references)),
    showFiles(context, creation.revision.id, listed),
    showCreationArt(deps, creation, source),
    showText(context, creation, isPublished),
    isPublished ? getCitation(deps, creation, null) : null,
    showMetadata(deps, creation, isPublished ? listed : null),
    isPublished ? showParquet(deps, creation.revision.id, listed) : new Map<string, ParquetForm[]>(),
  ]);
  const profile = readProfile(creation.profile);
  const { payload } = creation.revision;
  const changes = isPublished ? linkDiffs(deps, creation, data.changes, isContentRemoved) : data.changes;
  return {
    ...data,
    ...toRevisionFrame(deps, creation),
    references,
    title: data.title,
    changes: describeChanges(changes, await dataChanges),
    agent: { ...data.agent, display_name: nameOf(profile, creation.handle) },
    visibility: creation.visibility === "unlisted" ? "unlisted" : "public",
    bodyHtml,
    destinationLabel: typeof payload.destination_label === "string" ? payload.destination_label : null,
    files: isPublished ? addForms(linkTables(deps, creation, files), await listed, parquet) : files,
    freshness: data.freshness && { ...data.freshness, hoursSinceCheck: hoursSinceCheck(deps, creation) },
    showPreview: payload.show_preview !== false,
    made: disclosureOf(creation.type, creation.revision),
    lastSeenAt: toIsoOrNull(creation.last_seen_at),
    reportUrl: addressesOf(deps.config.siteUrl).report(creation.handle, creation.slug),
    art,
    citation: citation && toCitationView(deps, creation, citation, null),
    metadata,
  };
}

/** The text as HTML, with what the data of its charts and figures say; null where there is none. */
async function showText(
  context: RenderContext,
  { revision, handle, slug }: OpenCreation,
  isPublished: boolean,
): Promise<string | null> {
  const markdown = textOf(revision.payload, "body_markdown");
  if (markdown === null) return null;
  const bound = await showBoundData(context.deps, revision.id, revision.payload);
  const { charts } = addressesOf(context.deps.config.siteUrl);
  // What is not published has no files.
  const chartsAt = isPublished ? charts(handle, slug, null) : undefined;
  return await renderBody(context, markdown, { chartsAt, ...bound });
}

function hoursSinceCheck({ now }: Deps, { data_confirmed_at }: OpenCreation): number | null {
  return countHoursSince(data_confirmed_at ?? 0, now());
}

/** Changes with what each says of the rows of files. */
function describeChanges<Change extends { revision_number: number }>(
  changes: readonly Change[],
  dataOf: DataChanges,
): (Change & { data: ReturnType<typeof describeFiles> })[] {
  return changes.map((change) => ({ ...change, data: describeFiles(dataOf.get(change.revision_number)) }));
}

const isContentRemoved = (change: { content_removed: boolean }) => change.content_removed;

/** Files, in the order of their rows, with what is made of each. */
function addForms<File extends object>(
  files: readonly File[],
  rows: Awaited<ShownFiles>,
  parquet: ReadonlyMap<string, ParquetForm[]>,
): (File & { parquet: ParquetForm[] })[] {
  return files.map((file, at) => ({ ...file, parquet: parquet.get(rows[at]?.asset_id ?? "") ?? [] }));
}

/** Files with the page of each table that takes questions. */
function linkTables<File extends { rows_url: string | null; bytes: number }>(
  { config }: Deps,
  { handle, slug }: OpenCreation,
  files: readonly File[],
): (File & { tablePageUrl: string | null })[] {
  const { tablePage } = addressesOf(config.siteUrl);
  return files.map((file, at) => {
    const isTable = file.rows_url !== null && file.bytes <= config.limits.queryBytes;
    return { ...file, tablePageUrl: isTable ? tablePage(handle, slug, at + 1) : null };
  });
}

/** What the page tells tools; its links are of the files of a published work. */
async function showMetadata(
  deps: Deps,
  creation: OpenCreation,
  listed: ShownFiles | null,
): Promise<MetadataView> {
  const { revision_number: revisionNumber, payload, section } = creation.revision;
  const revision = { asked: null, revisionNumber, payload };
  const [files, keywords] = await Promise.all([listed, listKeywords(deps, creation, section)]);
  const work = linkRevision(deps, creation, revision, files ?? []);
  return {
    revisionUrl: work.revisionUrl,
    keywords,
    links: files === null ? [] : listWorkLinks(work),
  };
}

/** The data that the pages of a creation and of its revisions share. */
export function toRevisionFrame(deps: Deps, creation: OpenCreation) {
  const addresses = addressesOf(deps.config.siteUrl);
  const { handle, slug, revision, type } = creation;
  const profile = readProfile(creation.profile);
  return {
    site: siteView(deps),
    creation: {
      type,
      title: revision.title,
      url: addresses.creation(handle, slug),
      revisions_url: addresses.revisions(handle, slug),
      revisions_json_url: addresses.revisionsJson(handle, slug),
      revision_number: revision.revision_number,
    },
    profile: { ...toPerson(deps, profile, handle), handle, tagline: profile.tagline },
    managedBy: presentManager(deps, creation),
    accent: profile.accent,
    noindex: creation.visibility === "unlisted",
    retracted: presentRetraction(deps, creation.retracted),
  };
}
