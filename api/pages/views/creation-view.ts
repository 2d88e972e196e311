import {
  type DataChanges,
  describeFiles,
  groupDataChanges,
} from "../../../shared/datasets/changes/list-data-changes.ts";
import { renderBody } from "../../../shared/datasets/drawings/render-body.ts";
import { showParquet } from "../../../shared/datasets/parquet/shown-parquet.ts";
import type { RenderContext } from "../../../shared/datasets/render-context.ts";
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
import {
  type getOpenCreation,
  presentAround,
  readPageRows,
} from "../../../shared/reading/public-creation.ts";
import { presentManager } from "../../../shared/reading/public-profile.ts";
import { showPins } from "../../../shared/reading/relations/present-relations.ts";
import { textOf } from "../../../shared/requests/payload-members.ts";
import { readProfile } from "../../../shared/requests/stored-profile.ts";
import type { ParquetForm } from "../../../shared/text/metadata/described-work.ts";
import { listWorkLinks } from "../../../shared/text/metadata/work-links.ts";
import type { CreationPageView, MetadataView } from "../site/creation-view.ts";
import { type ArtSource, designCreationArt, showCreationArt } from "./art-views.ts";
import { toCitationView } from "./citation-view.ts";
import { linkDiffs } from "./diff-links.ts";
import { nameOf, toPerson } from "./people.ts";
import { siteView } from "./site-view.ts";

type OpenCreation = Awaited<ReturnType<typeof getOpenCreation>>;

type PageRows = Awaited<ReturnType<typeof readPageRows>>;

/**
 * The view of a creation's page: its public JSON with the data that only the page shows. A private page has its artwork
 * inline.
 */
export async function toCreationView(
  context: RenderContext,
  creation: OpenCreation,
  source: ArtSource,
): Promise<CreationPageView> {
  const { deps } = context;
  const isPublished = source === "published";
  const pictures = designCreationArt(creation, source);
  const around = await readPageRows(deps, creation, pictures.named);
  const [data, bodyHtml, citation] = await Promise.all([
    presentAround(deps, creation, around),
    showText(context, creation, around, isPublished),
    isPublished ? getCitation(deps, creation, null) : null,
  ]);
  const files = showFiles(context, around.files, around.stats);
  const profile = readProfile(creation.profile);
  const { payload } = creation.revision;
  const changes = isPublished ? linkDiffs(deps, creation, data.changes, isContentRemoved) : data.changes;
  return {
    ...data,
    ...toRevisionFrame(deps, creation),
    references: showPins(deps, around.references),
    title: data.title,
    changes: describeChanges(changes, groupDataChanges(deps, around.data_changes)),
    agent: { ...data.agent, display_name: nameOf(profile, creation.handle) },
    visibility: creation.visibility === "unlisted" ? "unlisted" : "public",
    bodyHtml,
    destinationLabel: typeof payload.destination_label === "string" ? payload.destination_label : null,
    files: isPublished ? addForms(deps, linkTables(deps, creation, files), around) : files,
    freshness: data.freshness && { ...data.freshness, hoursSinceCheck: hoursSinceCheck(deps, creation) },
    showPreview: payload.show_preview !== false,
    made: disclosureOf(creation.type, creation.revision),
    lastSeenAt: toIsoOrNull(creation.last_seen_at),
    reportUrl: addressesOf(deps.config.siteUrl).report(creation.handle, creation.slug),
    art: showCreationArt(deps, pictures, source),
    citation: citation && toCitationView(deps, creation, citation, null),
    metadata: showMetadata(deps, creation, around, isPublished),
  };
}

/** The text as HTML, with what the data of its charts and figures say; null where there is none. */
async function showText(
  context: RenderContext,
  { revision, handle, slug }: OpenCreation,
  around: PageRows,
  isPublished: boolean,
): Promise<string | null> {
  const markdown = textOf(revision.payload, "body_markdown");
  if (markdown === null) return null;
  const bound = showBoundData(context.deps, revision.id, around);
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
  deps: Deps,
  files: readonly File[],
  around: PageRows,
): (File & { parquet: ParquetForm[] })[] {
  const parquet = showParquet(deps, around.files, around.parquet);
  return files.map((file, at) => ({ ...file, parquet: parquet.get(around.files[at]?.asset_id ?? "") ?? [] }));
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
function showMetadata(
  deps: Deps,
  creation: OpenCreation,
  { files, topics }: PageRows,
  isPublished: boolean,
): MetadataView {
  const { revision_number: revisionNumber, payload, section } = creation.revision;
  const revision = { asked: null, revisionNumber, payload };
  const work = linkRevision(deps, creation, revision, isPublished ? files : []);
  return {
    revisionUrl: work.revisionUrl,
    keywords: listKeywords(creation, section, topics),
    links: isPublished ? listWorkLinks(work) : [],
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
