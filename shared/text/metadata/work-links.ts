import type { FileFormat } from "../../tables/inspection/verdict.ts";
import { addressMarkdown } from "../twins/address-markdown.ts";
import { CROISSANT } from "./croissant.ts";
import { DATA_PACKAGE } from "./data-package.ts";
import { MEDIA_TYPES, SCHEMA_TYPES } from "./described-work.ts";
import { LINKSET_TYPE, type Link, type LinkContext } from "./links.ts";

/** A document that describes a work, and its type. */
export type WorkDocument = Pick<Link, "href" | "type" | "profile">;

/** A work, or one of its revisions, with the addresses around it. */
export interface LinkedWork {
  type: keyof typeof SCHEMA_TYPES;
  /** The page that the links are about. */
  url: string;
  /** The page of the revision, which never shows another. */
  revisionUrl: string;
  agentUrl: string;
  licenseUrl: string | null;
  /** The work that readers of a retracted one should use instead. */
  successorUrl: string | null;
  documents: readonly WorkDocument[];
  linksetUrl: string;
  files: readonly { url: string; format: FileFormat }[];
}

/** The metadata documents of a dataset. */
export function listDatasetDocuments(urls: { croissant: string; dataPackage: string }): WorkDocument[] {
  return [
    { href: urls.croissant, type: "application/ld+json", profile: CROISSANT },
    { href: urls.dataPackage, type: "application/json", profile: DATA_PACKAGE },
  ];
}

/** The links of a work's page, by the relations of Signposting. */
export function listWorkLinks(work: LinkedWork): Link[] {
  return [
    { rel: "cite-as", href: work.revisionUrl },
    { rel: "type", href: "https://schema.org/AboutPage" },
    { rel: "type", href: `https://schema.org/${SCHEMA_TYPES[work.type]}` },
    { rel: "author", href: work.agentUrl },
    ...(work.licenseUrl === null ? [] : [{ rel: "license", href: work.licenseUrl }]),
    ...(work.successorUrl === null ? [] : [{ rel: "successor-version", href: work.successorUrl }]),
    ...work.documents.map((document) => ({ rel: "describedby", ...document })),
    linkMarkdown(work.url),
    ...work.files.map(({ url, format }) => ({ rel: "item", href: url, type: MEDIA_TYPES[format] })),
    { rel: "linkset", href: work.linksetUrl, type: LINKSET_TYPE },
  ];
}

/** The link of a page to its Markdown. */
export function linkMarkdown(pageUrl: string): Link {
  return { rel: "alternate", href: addressMarkdown(pageUrl), type: "text/markdown" };
}

/** The links of a work's page, of its documents and of its files, each under what they are the links of. */
export function listLinkContexts(work: LinkedWork): LinkContext[] {
  const page = { href: work.url, type: "text/html" };
  return [
    { anchor: work.url, links: listWorkLinks(work) },
    ...work.documents.map(({ href }) => ({ anchor: href, links: [{ rel: "describes", ...page }] })),
    { anchor: addressMarkdown(work.url), links: [{ rel: "canonical", ...page }] },
    ...work.files.map(({ url }) => ({ anchor: url, links: [{ rel: "collection", ...page }] })),
  ];
}
