import { describeFiles, groupDataChanges } from "../../../shared/datasets/changes/list-data-changes.ts";
import { type RenderContext, renderBody } from "../../../shared/datasets/drawings/render-body.ts";
import { showParquet } from "../../../shared/datasets/parquet/find-parquet.ts";
import { showFiles } from "../../../shared/datasets/uploads/shown-statistics.ts";
import { addressesOf } from "../../../shared/ground/addresses.ts";
import { toIsoOrNull } from "../../../shared/ground/times.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import { showBoundData } from "../../../shared/reading/charts/bound-data.ts";
import { countHoursSince } from "../../../shared/reading/freshness.ts";
import { getCitation } from "../../../shared/reading/metadata/citations.ts";
import { listKeywords } from "../../../shared/reading/metadata/documents.ts";
import { linkRevision } from "../../../shared/reading/metadata/links.ts";
import { disclosureOf } from "../../../shared/reading/present-marks.ts";
import { addressLatest, presentAround, readPageRows } from "../../../shared/reading/public-creation.ts";
import { showPins } from "../../../shared/reading/relations.ts";
import { textOf } from "../../../shared/requests/members.ts";
import { readProfile } from "../../../shared/requests/profile.ts";
import type { ParquetForm } from "../../../shared/text/metadata/described-work.ts";
import { listWorkLinks } from "../../../shared/text/metadata/links.ts";
import { type ArtSource, designCreationArt, showCreationArt } from "./artwork.ts";
import { toCitationView } from "./creation-citation.ts";
import type { FileView } from "./creation-files.ts";
import { linkDiffs, nameOf, type OpenCreation, toRevisionFrame } from "./revision-frame.ts";

type PageRows = Awaited<ReturnType<typeof readPageRows>>;

/** The public JSON of a work and the further data of its page; `bodyHtml` comes from our renderer. */
export type CreationPageView = Awaited<ReturnType<typeof toCreationView>> & {
  /** Set where it was never published: its time is that of saving. */
  isDraft?: boolean;
  /** Set where readers can open no page of the work, so that no link leads to its revisions. */
  isClosed?: boolean;
};

/** One published change. */
export type ChangeView = CreationPageView["changes"][number];

type Reference = CreationPageView["references"][number];

/** Another work that is public now. */
export type RelatedView = Pick<Reference, "type" | "title" | "url" | "agent" | "retracted"> &
  Partial<Pick<Reference, "relation" | "note" | "pin" | "language">>;

/** The view of a creation's page: its public JSON and further data. A private page has artwork inline. */
export async function toCreationView(context: RenderContext, creation: OpenCreation, source: ArtSource) {
  const { deps } = context;
  const isPublished = source === "published";
  const pictures = designCreationArt(creation, source);
  const around = await readPageRows(deps, creation, pictures.named);
  const [data, text, citation] = await Promise.all([
    presentAround(deps, creation, around),
    showText(context, creation, around, isPublished),
    isPublished ? getCitation(deps, creation, null) : null,
  ]);
  const files = await showFiles(context, around.files, around.stats);
  const profile = readProfile(creation.profile);
  const { payload } = creation.revision;
  const dataOf = groupDataChanges(deps, around.data_changes);
  const hoursSinceCheck = countHoursSince(creation.data_confirmed_at ?? 0, deps.now());
  const changes = linkDiffs(deps, creation, data.changes, (change) => !isPublished || change.content_removed);
  return {
    ...data,
    ...toRevisionFrame(deps, creation),
    references: showPins(deps, around.references),
    title: data.title,
    changes: changes.map((change) => ({
      ...change,
      data: describeFiles(dataOf.get(change.revision_number)),
    })),
    agent: { ...data.agent, display_name: nameOf(profile, creation.handle) },
    visibility: creation.visibility === "unlisted" ? "unlisted" : "public",
    ...text,
    destinationLabel: typeof payload.destination_label === "string" ? payload.destination_label : null,
    files: isPublished ? addForms(deps, linkTables(deps, creation, files), around) : files,
    freshness: data.freshness && { ...data.freshness, hoursSinceCheck },
    showPreview: payload.show_preview !== false,
    made: disclosureOf(creation.type, creation.revision),
    isSigned: creation.revision.signature_counts,
    lastSeenAt: toIsoOrNull(creation.last_seen_at),
    reportUrl: addressesOf(deps.config.siteUrl).report(creation.handle, creation.slug),
    art: showCreationArt(deps, pictures, source),
    citation: citation && toCitationView(deps, creation, citation, null),
    metadata: showMetadata(deps, creation, around, isPublished),
  };
}

async function showText(
  context: RenderContext,
  { revision, handle, slug }: OpenCreation,
  around: PageRows,
  isPublished: boolean,
): Promise<{ bodyHtml: string | null; plain: string | null }> {
  const markdown = textOf(revision.payload, "body_markdown");
  if (markdown === null) return { bodyHtml: null, plain: null };
  const bound = showBoundData(context.deps, revision.id, around, isPublished);
  const addresses = addressesOf(context.deps.config.siteUrl);
  const page = addresses.creation(handle, slug);
  // What is not published has no files.
  const chartsAt = isPublished ? addresses.charts(handle, slug, null) : undefined;
  const bodyHtml = await renderBody(context, markdown, { revisionId: revision.id, page, chartsAt, ...bound });
  const hasSummary = textOf(revision.payload, "summary") !== null;
  return { bodyHtml, plain: hasSummary ? null : (await context.deps.texts.read(markdown)).plain };
}

function addForms<File extends object>(
  deps: Deps,
  files: readonly File[],
  around: PageRows,
): (File & { parquet: ParquetForm[] })[] {
  const parquet = showParquet(deps, around.files, around.parquet);
  return files.map((file, at) => ({ ...file, parquet: parquet.get(around.files[at]?.asset_id ?? "") ?? [] }));
}

function linkTables<File extends Pick<FileView, "rows_url" | "bytes" | "format">>(
  deps: Deps,
  creation: OpenCreation,
  files: readonly File[],
): (File & Pick<FileView, "tablePageUrl" | "latestUrl">)[] {
  const { siteUrl, limits } = deps.config;
  const { handle, slug } = creation;
  return files.map((file, at) => {
    const isTable = file.rows_url !== null && file.bytes <= limits.queryBytes;
    const tablePageUrl = isTable ? addressesOf(siteUrl).tablePage(handle, slug, at + 1) : null;
    return { ...file, tablePageUrl, latestUrl: addressLatest(deps, creation, file, at) };
  });
}

/** What the page tells tools; its links are of the files of a published work. */
function showMetadata(deps: Deps, creation: OpenCreation, { files, topics }: PageRows, isPublished: boolean) {
  const revision = { ...creation.revision, asked: null };
  const work = linkRevision(deps, creation, revision, isPublished ? files : []);
  return {
    revisionUrl: work.revisionUrl,
    keywords: listKeywords(creation, revision.section, topics),
    links: isPublished ? listWorkLinks(work) : [],
  };
}
