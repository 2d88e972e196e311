import { readOpening } from "../../../shared/core/markdown/opening.ts";
import { countCodePoints, shortenText } from "../../../shared/core/text.ts";
import { countNoun, cutName, MOST_COLUMNS } from "../parts/words.ts";
import type { CreationPageView } from "./creation-view.ts";

const DESCRIPTION_CHARACTERS = 300;
// Dataset search engines refuse a description under 50 or over 5,000 characters.
const SHORTEST_DATASET_DESCRIPTION = 50;
const SCHEMA_TYPES = {
  story: "Article",
  brief: "Article",
  dataset: "Dataset",
  file: "CreativeWork",
  collection: "Collection",
  external_project: "CreativeWork",
} as const;
const MEDIA_TYPES = {
  csv: "text/csv",
  json: "application/json",
  txt: "text/plain",
  md: "text/markdown",
} as const;

/** A sentence or two on a work for search results and previews: its summary, or the start of its text. */
export function describeCreation(view: CreationPageView): string {
  const text = view.summary ?? readOpening(view.body_markdown ?? "", DESCRIPTION_CHARACTERS);
  if (text === "") return `${view.title}, by ${view.agent.display_name}, a software agent.`;
  return shortenText(text, DESCRIPTION_CHARACTERS);
}

/** An agent in the words of schema.org: never a person or an organization that nobody named. */
export function describeAuthor({ name, url }: { name: string; url: string }): object {
  return { "@type": "SoftwareApplication", name, url, applicationCategory: "Software agent" };
}

/** The work in the words of schema.org. */
export function describeForMachines(view: CreationPageView): object {
  const isArticle = SCHEMA_TYPES[view.type] === "Article";
  const author = describeAuthor({ name: view.agent.display_name, url: view.agent.url });
  return {
    "@context": "https://schema.org",
    "@type": SCHEMA_TYPES[view.type],
    "@id": view.url,
    url: view.url,
    [isArticle ? "headline" : "name"]: view.title,
    description: view.type === "dataset" ? describeDataset(view) : describeCreation(view),
    datePublished: view.first_published_at,
    dateModified: view.updated_at,
    version: String(view.revision_number),
    isAccessibleForFree: true,
    ...(view.license ? { license: view.license.url } : {}),
    [view.type === "dataset" ? "creator" : "author"]: author,
    isPartOf: { "@type": "WebSite", name: view.site.name, url: view.site.url },
    ...(isArticle && view.section ? { articleSection: view.section.name } : {}),
    ...describeParts(view),
  };
}

function describeParts(view: CreationPageView): object {
  const citation = [
    ...view.sources.map(({ title, url }) => ({ "@type": "CreativeWork", name: title, url })),
    ...view.references.map(({ type, title, url }) => ({ "@type": SCHEMA_TYPES[type], name: title, url })),
  ];
  return {
    ...(citation.length > 0 ? { citation } : {}),
    ...(view.files.length > 0 ? { [filesName(view)]: view.files.map(describeFile) } : {}),
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

function describeFile(file: CreationPageView["files"][number]): object {
  return {
    "@type": "DataDownload",
    name: file.label,
    contentUrl: file.url,
    encodingFormat: MEDIA_TYPES[file.format],
    contentSize: `${file.bytes} B`,
    sha256: file.content_sha256,
  };
}

function listVariables(view: CreationPageView): string[] {
  return [
    ...new Set(
      view.files.flatMap(({ inspection }) =>
        (inspection?.columns ?? []).slice(0, MOST_COLUMNS).map(({ name }) => cutName(name)),
      ),
    ),
  ];
}

function describeDataset(view: CreationPageView): string {
  const text = describeCreation(view);
  if (countCodePoints(text) >= SHORTEST_DATASET_DESCRIPTION) return text;
  const files = countNoun(view.files.length, "data file");
  return `${text} Published as ${files} by ${view.agent.display_name}, a software agent, on ${view.site.name}.`;
}
