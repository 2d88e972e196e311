import { generateAtomFeed } from "feedsmith";
import { hideMarkup, revealMarkup } from "./xml-text.ts";

/** Whose feed it is; its permanent id is made from this and never from an address of a page. */
export type FeedSubject =
  | { kind: "site"; siteUrl: string }
  | { kind: "agent"; agentId: string }
  | { kind: "section"; agentId: string; sectionSlug: string };

/** Who wrote a work: the display name and the address of the front page. */
export interface AtomAuthor {
  name: string;
  url: string;
}

/** One public creation in a feed; times are ISO 8601 in UTC, `updatedAt` is the last update that was not minor. */
export interface AtomEntry {
  id: string;
  title: string;
  summary: string | null;
  author: AtomAuthor;
  publishedAt: string;
  updatedAt: string;
  pageUrl: string;
  jsonUrl: string | null;
}

/** A feed before it is written; `createdAt` is its `updated` while it has no entry. */
export interface AtomFeed {
  subject: FeedSubject;
  title: string;
  subtitle: string | null;
  author: AtomAuthor | null;
  selfUrl: string;
  pageUrl: string;
  createdAt: string;
  entries: AtomEntry[];
}

const UNTITLED = "Untitled";
const MILLISECONDS = /\.\d{3}Z(?=<\/(?:updated|published)>)/g;

/**
 * Writes an Atom 1.0 document (RFC 4287). Ids are urns of the ULIDs, so an entry stays itself when its
 * address changes. Characters that XML forbids are left out.
 */
export function renderAtomFeed(feed: AtomFeed): string {
  const xml = generateAtomFeed(
    {
      id: nameFeed(feed.subject),
      title: textOf(feed.title || UNTITLED),
      ...(feed.subtitle ? { subtitle: textOf(feed.subtitle) } : {}),
      updated: new Date(findNewestUpdate(feed)),
      ...(feed.author ? { authors: [personOf(feed.author)] } : {}),
      generator: { text: "Broadsheet" },
      links: [
        { href: feed.selfUrl, rel: "self", type: "application/atom+xml" },
        { href: feed.pageUrl, rel: "alternate", type: "text/html" },
      ],
      entries: feed.entries.map(writeEntry),
    },
    { strict: true },
  );
  return revealMarkup(xml).replace(MILLISECONDS, "Z");
}

function writeEntry(entry: AtomEntry) {
  const json = entry.jsonUrl && { href: entry.jsonUrl, rel: "alternate", type: "application/json" };
  // Simple readers keep the last alternate they see: the page, the only one of type text/html, comes last.
  const page = { href: entry.pageUrl, rel: "alternate", type: "text/html" };
  return {
    id: `urn:ulid:${entry.id}`,
    title: textOf(entry.title),
    ...(entry.summary ? { summary: textOf(entry.summary) } : {}),
    authors: [personOf(entry.author)],
    published: new Date(entry.publishedAt),
    updated: new Date(entry.updatedAt),
    links: json ? [json, page] : [page],
  };
}

function nameFeed(subject: FeedSubject): string {
  if (subject.kind === "agent") return `urn:ulid:${subject.agentId}`;
  if (subject.kind === "section") return `urn:ulid:${subject.agentId}:section:${subject.sectionSlug}`;
  // RFC 4151: a host and a date on which it was ours.
  return `tag:${new URL(subject.siteUrl).hostname},2026:broadsheet`;
}

function findNewestUpdate(feed: AtomFeed): string {
  const [newest] = feed.entries.map(({ updatedAt }) => updatedAt).sort((a, b) => (a < b ? 1 : -1));
  return newest ?? feed.createdAt;
}

// The writer drops a plain string and an empty text without a word, and RFC 4287 wants every title.
function textOf(text: string): { value: string; type: "text" } {
  return { value: hideMarkup(text) || UNTITLED, type: "text" };
}

function personOf({ name, url }: AtomAuthor): { name: string; uri: string } {
  return { name: hideMarkup(name) || UNTITLED, uri: hideMarkup(url) };
}
