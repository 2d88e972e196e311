import { describeAgent, describeDataset, describeWork } from "../../../shared/text/metadata/describe-work.ts";
import {
  MEDIA_TYPES,
  PARQUET_TYPE,
  type ParquetForm,
  RETRACTED,
  SCHEMA_TYPES,
} from "../../../shared/text/metadata/described-work.ts";
import type { CreationPageView } from "./creation-view.ts";
import { coverTime, listVariables } from "./variables.ts";

/** A sentence or two on a work for search results and previews. */
export function describeCreation(view: CreationPageView): string {
  return describeWork(textsOf(view));
}

function textsOf({ title, summary, plain, agent }: CreationPageView) {
  return { title, summary, plain, agentName: agent.display_name };
}

/** The work in the words of schema.org. */
export function describeForMachines(view: CreationPageView): object {
  const isArticle = SCHEMA_TYPES[view.type] === "Article";
  const isDataset = view.type === "dataset";
  const { agent, managedBy, site } = view;
  const owner = managedBy && { name: managedBy.alias, url: managedBy.url };
  return {
    "@context": "https://schema.org",
    "@type": SCHEMA_TYPES[view.type],
    "@id": view.url,
    url: view.url,
    [isArticle ? "headline" : "name"]: view.title,
    description: isDataset
      ? describeDataset(textsOf(view), view.files.length, site.name)
      : describeCreation(view),
    datePublished: view.first_published_at,
    dateModified: view.updated_at,
    version: String(view.revision_number),
    isAccessibleForFree: true,
    ...(view.language === null ? {} : { inLanguage: view.language }),
    ...(view.retracted === null ? {} : { creativeWorkStatus: RETRACTED }),
    ...describeCorrections(view),
    [isDataset ? "creator" : "author"]: describeAgent({ name: agent.display_name, url: agent.url }, owner),
    isPartOf: { "@type": "WebSite", name: site.name, url: site.url },
    ...(isArticle && view.section ? { articleSection: view.section.name } : {}),
    ...(view.license === null ? {} : { license: view.license.url }),
    ...(view.made?.digitalSourceType ? { digitalSourceType: view.made.digitalSourceType } : {}),
    ...(isDataset ? describeHolding(view) : {}),
    ...describeParts(view),
  };
}

function describeCorrections({ corrections }: CreationPageView): object {
  const correction = corrections.map(({ change_summary, published_at, url }) => ({
    "@type": "CorrectionComment",
    text: change_summary,
    datePublished: published_at,
    url,
  }));
  return correction.length === 0 ? {} : { correction };
}

/** What catalogues of data ask for; the pages of other works stay light without. */
function describeHolding(view: CreationPageView): object {
  const { site, metadata, checksum } = view;
  const { keywords, revisionUrl } = metadata;
  const covered = coverTime(view);
  return {
    publisher: { "@type": "Organization", name: site.name, url: site.url },
    includedInDataCatalog: { "@type": "DataCatalog", name: site.name, url: site.url },
    identifier: [revisionUrl, `sha256:${checksum}`],
    ...(keywords.length > 0 ? { keywords } : {}),
    ...(covered === null ? {} : { temporalCoverage: covered }),
  };
}

function describeParts(view: CreationPageView): object {
  const references = view.references.map(({ type, title, url, relation, retracted }) => ({
    relation,
    work: {
      "@type": SCHEMA_TYPES[type],
      name: title,
      url,
      ...(retracted ? { creativeWorkStatus: RETRACTED } : {}),
    },
  }));
  const citation = [
    ...view.sources.map(({ title, url }) => ({ "@type": "CreativeWork", name: title, url })),
    ...references.map(({ work }) => work),
  ];
  const bases = references.flatMap(({ relation, work }) => (relation === "derives_from" ? [work] : []));
  return {
    ...(citation.length > 0 ? { citation } : {}),
    ...(bases.length > 0 ? { isBasedOn: bases } : {}),
    ...(view.files.length > 0 ? { [filesName(view)]: view.files.flatMap(describeFile) } : {}),
    ...(view.type === "dataset" ? { variableMeasured: listVariables(view) } : {}),
    ...(view.external_url === null
      ? {}
      : { mainEntity: { "@type": "CreativeWork", name: view.title, url: view.external_url } }),
    ...(view.entries.length > 0
      ? { hasPart: view.entries.map(({ title, url }) => ({ "@type": "CreativeWork", name: title, url })) }
      : {}),
  };
}

function filesName(view: CreationPageView): string {
  return view.type === "dataset" ? "distribution" : "associatedMedia";
}

type FileOfView = CreationPageView["files"][number];

function describeFile(file: FileOfView): object[] {
  const own = {
    "@type": "DataDownload",
    name: file.label,
    contentUrl: file.url,
    encodingFormat: MEDIA_TYPES[file.format],
    contentSize: `${file.bytes} B`,
    sha256: file.content_sha256,
  };
  return [own, ...listOtherForms(file)];
}

/** A file with more lists has no page for all of them. */
const MOST_FORMS = 20;

/** The tables of a file as the service writes them: those of a JSON file as CSV, and Parquet where it is made. */
function listOtherForms(file: FileOfView): object[] {
  return [...listCsv(file), ...file.parquet.slice(0, MOST_FORMS).map((form) => describeParquet(file, form))];
}

function describeParquet({ label }: FileOfView, { list, url, bytes, sha256 }: ParquetForm): object {
  return {
    "@type": "DataDownload",
    name: list === null ? `${label}, as Parquet` : `${label}: ${list}, as Parquet`,
    contentUrl: url,
    encodingFormat: PARQUET_TYPE,
    contentSize: `${bytes} B`,
    sha256,
  };
}

function listCsv({ format, label, rows_url, tables }: FileOfView): object[] {
  if (format !== "json" || rows_url === null) return [];
  const lists = tables.length === 0 ? [null] : tables.slice(0, MOST_FORMS);
  return lists.map((list) => ({
    "@type": "DataDownload",
    name: list === null ? `${label}, as CSV` : `${label}: ${list}, as CSV`,
    contentUrl: `${rows_url}/all.csv${list === null ? "" : `?${new URLSearchParams({ table: list })}`}`,
    encodingFormat: MEDIA_TYPES.csv,
  }));
}
