import { parquetOf } from "../../../sql/datasets/parquet-files.ts";
import type { FileRow } from "../../../sql/datasets/revision-files.ts";
import type { OpenCreationRow } from "../../../sql/reading/open-creations.ts";
import { listTopicsByIds, type TopicRow } from "../../../sql/reading/topics.ts";
import type { RenderContext } from "../../datasets/drawings/render-body.ts";
import { showParquet } from "../../datasets/parquet/find-parquet.ts";
import {
  readChecks,
  readDialectOf,
  readDictionary,
  readInspection,
  readTables,
  type ShownFiles,
} from "../../datasets/uploads/public-files.ts";
import { showForms } from "../../datasets/uploads/shown-statistics.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { notFound } from "../../ground/errors.ts";
import { toIso } from "../../ground/times.ts";
import { languageOf } from "../../requests/language.ts";
import { textOf } from "../../requests/members.ts";
import { frequencyOf, licenseOf } from "../../requests/payloads.ts";
import { readProfile } from "../../requests/profile.ts";
import { writeCitation } from "../../text/citations/citation.ts";
import { isPromise } from "../../text/freshness/frequencies.ts";
import { CROISSANT, writeCroissant } from "../../text/metadata/croissant.ts";
import { writeDataPackage } from "../../text/metadata/data-package.ts";
import { describeDataset } from "../../text/metadata/describe-work.ts";
import {
  type DescribedDataset,
  type DescribedFile,
  describeTables,
} from "../../text/metadata/described-work.ts";
import { LINKSET_TYPE, listLinkContexts, writeLinkHeader, writeLinkset } from "../../text/metadata/links.ts";
import { readSources } from "../public-creation.ts";
import { presentManager, presentTopics } from "../public-profile.ts";
import { getShownRevision, type ShownRevision } from "../public-revisions.ts";
import { citeRevision, SITE_NAME } from "./citations.ts";
import { addressRevision, linkRevision } from "./links.ts";

/** The documents that describe a work to tools, by their names in its address. */
export const METADATA_NAMES = ["croissant.json", "datapackage.json", "linkset.json"] as const;
export type MetadataName = (typeof METADATA_NAMES)[number];

/** The media type of each document. */
export const METADATA_TYPES: Readonly<Record<MetadataName, string>> = {
  "croissant.json": `application/ld+json; profile="${CROISSANT}"`,
  "datapackage.json": "application/json",
  "linkset.json": LINKSET_TYPE,
};

/**
 * A document of an open creation as text, of its live revision or of a published one by its number, with the Link header
 * that leads to the page which it describes. Throws 404 for the document
 * of a dataset about another work, 409 where the content was removed or the files were deleted.
 */
export async function getMetadata(
  context: RenderContext,
  creation: OpenCreationRow,
  { name, number }: { name: MetadataName; number: string | null },
) {
  if (name !== "linkset.json" && creation.type !== "dataset") throw notFound("published dataset");
  const revision = await getShownRevision(context.deps, creation, number);
  const href = addressRevision(context.deps, creation, revision);
  const linkHeader = writeLinkHeader([{ rel: "describes", href, type: "text/html" }]);
  if (name === "linkset.json") {
    const work = linkRevision(context.deps, creation, revision, await revision.files);
    return { body: JSON.stringify(writeLinkset(listLinkContexts(work))), linkHeader };
  }
  const dataset = await describeRevision(context, creation, revision);
  const document = name === "croissant.json" ? writeCroissant(dataset) : writeDataPackage(dataset);
  return { body: JSON.stringify(document), linkHeader };
}

/** A revision of a dataset as its documents describe it. */
export async function describeRevision(
  context: RenderContext,
  creation: OpenCreationRow,
  revision: ShownRevision,
): Promise<DescribedDataset> {
  const { deps } = context;
  const { handle, slug } = creation;
  const { payload, title } = revision;
  const addresses = addressesOf(deps.config.siteUrl);
  const agent = { name: readProfile(creation.profile).display_name ?? handle, url: addresses.agent(handle) };
  const owner = presentManager(deps, creation);
  const [files, topics] = await Promise.all([
    describeShownFiles(context, revision.id, revision.files),
    listTopicsByIds(deps.pool, readProfile(creation.profile).topic_ids),
  ]);
  const keywords = listKeywords(creation, revision.section, topics);
  const texts = { title, summary: textOf(payload, "summary"), plain: null };
  const citation = citeRevision(deps, creation, revision);
  return {
    ...{ handle, slug, title, agent, files, keywords },
    description: describeDataset({ ...texts, agentName: agent.name }, files.length, SITE_NAME),
    url: addresses.creation(handle, slug),
    revisionUrl: addresses.revision(handle, slug, revision.revision_number),
    revisionNumber: revision.revision_number,
    license: licenseOf(payload),
    language: languageOf(payload, creation.profile),
    noLicenseUrl: `${addresses.docs("metadata")}#a-dataset-without-a-licence`,
    owner: owner && { name: owner.alias, url: owner.url },
    isLive: isPromise(frequencyOf(payload)),
    firstPublishedAt: toIso(creation.first_published_at),
    publishedAt: toIso(revision.published_at),
    citeAs: writeCitation(citation, "cite.bib"),
    sources: readSources(payload),
    isRetracted: creation.retracted !== null,
  };
}

/** The topics of the agent and the section of the work, by their names; of the topics, those that are enabled. */
export function listKeywords(
  creation: OpenCreationRow,
  sectionSlug: string | null,
  topics: readonly TopicRow[],
): string[] {
  const { topic_ids, sections } = readProfile(creation.profile);
  const labels = presentTopics(topic_ids, topics);
  const section = sections.find(({ slug }) => slug === sectionSlug);
  return [...new Set([...labels.map(({ label }) => label), ...(section ? [section.name] : [])])];
}

/** The files of a revision with their tables and columns. */
async function describeShownFiles(
  context: RenderContext,
  revisionId: string,
  files: ShownFiles,
): Promise<DescribedFile[]> {
  const addresses = addressesOf(context.deps.config.siteUrl);
  const reading = files.then((rows) => rows.map(readFile));
  const withTables = reading.then((read) =>
    read.filter(({ found, tables }) => found?.kind === "table" || tables.length > 0).map(({ row }) => row),
  );
  const [rows, read, forms, made] = await Promise.all([
    files,
    reading,
    showForms(context, revisionId, withTables),
    context.deps.pool.any(parquetOf(revisionId)),
  ]);
  const parquet = showParquet(context.deps, rows, made);
  return read.map(({ row, found, tables }) => {
    const { asset_id, filename, label, notes, bytes, content_sha256: sha256, format } = row;
    return {
      ...{ filename, label, notes, bytes, sha256, format },
      url: addresses.media(asset_id, filename),
      reading: readReadingOf(row, `${addresses.rows(asset_id)}/all.csv`),
      tables: describeTables(found, tables, forms.get(asset_id) ?? [], {
        dictionary: readDictionary(row),
        checks: readChecks(row),
      }),
      parquet: parquet.get(asset_id) ?? [],
    };
  });
}

function readReadingOf(row: FileRow, url: string): DescribedFile["reading"] {
  const dialect = readDialectOf(row);
  return dialect && { dialect, url, bytes: row.read_bytes, sha256: row.read_sha256 };
}

/** A file with what its inspection found, which is read once: it is long. */
function readFile(row: FileRow) {
  return { row, found: readInspection(row), tables: readTables(row.tables) };
}
