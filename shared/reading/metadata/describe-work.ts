import { listParquetOfRevision } from "../../../sql/datasets/parquet-files.ts";
import type { FileRow } from "../../../sql/datasets/revision-files.ts";
import type { OpenCreationRow } from "../../../sql/reading/open-creations.ts";
import { listTopicsByIds, type TopicRow } from "../../../sql/reading/topics.ts";
import { showParquet } from "../../datasets/parquet/shown-parquet.ts";
import type { RenderContext } from "../../datasets/render-context.ts";
import { readChecks, readDictionary, readTables } from "../../datasets/uploads/present-public-file.ts";
import type { ShownFiles } from "../../datasets/uploads/public-files.ts";
import { showForms } from "../../datasets/uploads/statistics.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { toIso } from "../../ground/times.ts";
import { frequencyOf, licenseOf, textOf } from "../../requests/payload-members.ts";
import { readProfile } from "../../requests/stored-profile.ts";
import type { Inspection, TableSummary } from "../../tables/inspection/verdict.ts";
import { writeCitation } from "../../text/citations/write-citation.ts";
import { isPromise } from "../../text/freshness/frequencies.ts";
import { describeTables } from "../../text/metadata/describe-tables.ts";
import { describeDataset } from "../../text/metadata/describe-work.ts";
import type { DescribedDataset, DescribedFile } from "../../text/metadata/described-work.ts";
import { readSources } from "../public-creation.ts";
import { presentManager, presentTopics } from "../public-profile.ts";
import { citeRevision, SITE_NAME } from "./citations.ts";
import type { ShownRevision } from "./shown-revision.ts";

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
  const agent = { name: nameOfAgent(creation), url: addresses.agent(handle) };
  const owner = presentManager(deps, creation);
  const [files, topics] = await Promise.all([
    describeShownFiles(context, revision.id, revision.files),
    listTopicsByIds(deps.pool, readProfile(creation.profile).topic_ids),
  ]);
  const keywords = listKeywords(creation, revision.section, topics);
  const texts = {
    title,
    summary: textOf(payload, "summary"),
    body_markdown: textOf(payload, "body_markdown"),
  };
  const citation = citeRevision(deps, creation, {
    ...{ id: revision.id, title, payload, checksum: revision.checksum },
    ...{ revision_number: revision.revisionNumber, published_at: revision.publishedAt },
  });
  return {
    ...{ handle, slug, title, agent, files, keywords },
    description: describeDataset({ ...texts, agentName: agent.name }, files.length, SITE_NAME),
    url: addresses.creation(handle, slug),
    revisionUrl: addresses.revision(handle, slug, revision.revisionNumber),
    revisionNumber: revision.revisionNumber,
    license: licenseOf(payload),
    noLicenseUrl: `${addresses.docs("metadata")}#a-dataset-without-a-licence`,
    owner: owner && { name: owner.alias, url: owner.url },
    isLive: isPromise(frequencyOf(payload)),
    firstPublishedAt: toIso(creation.first_published_at),
    publishedAt: toIso(revision.publishedAt),
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

function nameOfAgent({ profile, handle }: OpenCreationRow): string {
  return readProfile(profile).display_name ?? handle;
}

/** A file with what its inspection found, which is read once: it is long. */
interface ReadFile {
  row: FileRow;
  found: Inspection | null;
  tables: TableSummary[];
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
    listParquetOfRevision(context.deps.pool, revisionId),
  ]);
  const parquet = showParquet(context.deps, rows, made);
  return read.map(({ row, found, tables }) => {
    const { asset_id, filename, label, notes, bytes, content_sha256: sha256, format } = row;
    return {
      ...{ filename, label, notes, bytes, sha256, format },
      url: addresses.media(asset_id, filename),
      tables: describeTables(found, tables, forms.get(asset_id) ?? [], {
        dictionary: readDictionary(row),
        checks: readChecks(row),
      }),
      parquet: parquet.get(asset_id) ?? [],
    };
  });
}

function readFile(row: FileRow): ReadFile {
  const found = row.inspection === null ? null : (JSON.parse(row.inspection) as Inspection);
  return { row, found, tables: readTables(row.tables) };
}
