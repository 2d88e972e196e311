import type { CreationType } from "../../ground/creation-types.ts";
import type { SentFormat } from "../../tables/inspection/verdict.ts";
import { CROISSANT } from "./croissant.ts";
import { DATA_PACKAGE } from "./data-package.ts";
import { MEDIA_TYPES, SCHEMA_TYPES } from "./described-work.ts";

/** A link of a page or a document to another, as RFC 8288 has it. */
export interface Link {
  rel: string;
  href: string;
  type?: string;
  profile?: string;
}

/** The links of one page or document. */
interface LinkContext {
  anchor: string;
  links: readonly Link[];
}

/** The media type of a linkset. */
export const LINKSET_TYPE = "application/linkset+json";

/** Proxies take lines of headers up to 4 or 8 KiB. */
const MOST_HEADER_BYTES = 4_095;

/** A Link header. What does not fit is left out, items first: the linkset has everything. */
export function writeLinkHeader(links: readonly Link[]): string {
  const written = links.map((link) => ({ isItem: link.rel === "item", text: writeLink(link) }));
  let left = MOST_HEADER_BYTES;
  for (const { isItem, text } of written) if (!isItem) left -= text.length + ", ".length;
  return written
    .filter(({ isItem, text }) => {
      if (!isItem) return true;
      left -= text.length + ", ".length;
      return left >= 0;
    })
    .map(({ text }) => text)
    .join(", ");
}

function writeLink({ href, rel, type, profile }: Link): string {
  const parameters = Object.entries({ rel, type, profile });
  return [`<${href}>`, ...parameters.flatMap(([name, value]) => (value ? [`${name}="${value}"`] : []))].join(
    "; ",
  );
}

/** A linkset as RFC 9264 writes it in JSON. */
export function writeLinkset(contexts: readonly LinkContext[]): object {
  return {
    linkset: contexts.map(({ anchor, links }) => {
      const relations: Record<string, object[]> = {};
      for (const { rel, href, type, profile } of links) {
        // Attributes that the RFC does not define are lists.
        const target = { href, type, profile: profile && [profile] };
        relations[rel] = [...(relations[rel] ?? []), target];
      }
      return { anchor, ...relations };
    }),
  };
}

/** A document that describes a work, and its type. */
type WorkDocument = Pick<Link, "href" | "type" | "profile">;

/** A work, or one of its revisions, with the addresses around it. */
export interface LinkedWork {
  type: CreationType;
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
  files: readonly { url: string; format: SentFormat }[];
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

/** The address of the Markdown of a front page, of a work's page or of a revision's page, by the address of that page. */
export function addressMarkdown(pageUrl: string): string {
  return `${pageUrl}.md`;
}
