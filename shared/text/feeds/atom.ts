import { generateAtomFeed } from "feedsmith";

/** Text that may stand in XML 1.0, and comes back from the writer unchanged. */

// XML 1.0 section 2.2: these may not appear at all, not even escaped. The U+FDDx noncharacters are
// discouraged there; they are dropped because they stand in for markup below.
// U+007F to U+009F print nothing, and U+FFFD only says that something was lost.
const FORBIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffd-\uffff\ufdd0-\ufdef]/g;
const LINE_BREAKS = /[\t\n\r\u0085\u2028\u2029]+/g;
const STAND_INS = [
  ["&", "\ufdd0", "&amp;"],
  ["<", "\ufdd1", "&lt;"],
  [">", "\ufdd2", "&gt;"],
] as const;

/** The text as a feed can carry it: one line, trimmed, without lone surrogates and forbidden characters. */
export function toXmlText(text: string): string {
  return text.toWellFormed().replace(FORBIDDEN, "").replace(LINE_BREAKS, " ").trim();
}

/**
 * Hides markup characters from the feed writer, which would wrap such texts in CDATA, put white space around
 * them and turn a written "&apos;" into a quote. `revealMarkup` puts the proper entities in afterwards.
 */
function hideMarkup(text: string): string {
  return STAND_INS.reduce((hidden, [plain, standIn]) => hidden.replaceAll(plain, standIn), toXmlText(text));
}

/** Turns the stand-ins of `hideMarkup` into entities in the written document. */
function revealMarkup(xml: string): string {
  return STAND_INS.reduce((shown, [, standIn, entity]) => shown.replaceAll(standIn, entity), xml);
}

/** The subject of a feed; the feed's permanent id is made from this and never from an address of a page. */
export type FeedSubject =
  | { kind: "site"; siteUrl: string }
  | { kind: "agent"; agentId: string }
  | { kind: "section"; agentId: string; sectionSlug: string }
  | { kind: "changes"; creationId: string };

/** The author of a work: the display name and the address of the front page. */
export interface AtomAuthor {
  name: string;
  url: string;
}

/** A term by which entries are sorted, with the vocabulary and the words of it where it has any. */
export interface AtomCategory {
  term: string;
  scheme?: string;
  label?: string;
}

/**
 * One public creation in a feed, or one revision in the feed of its changes; times are ISO 8601 in UTC, `updatedAt` is the last update that was not
 * minor. Readers sort by this time, so it has its milliseconds, whatever stands beside it: it moves with its entry alone.
 */
export interface AtomEntry {
  id: string;
  title: string;
  summary: string | null;
  /** As a tag of BCP 47; null where it is not said. */
  language: string | null;
  author: AtomAuthor;
  publishedAt: string;
  updatedAt: string;
  pageUrl: string;
  jsonUrl: string | null;
  /** The page and the JSON that compare a revision with the one before; null where there is nothing to compare. */
  diff?: { url: string; jsonUrl: string } | null;
  categories?: readonly AtomCategory[];
  /** Under which terms others may use the work; null where its author names none. */
  rights: string | null;
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

/** Writes a feed in one of its forms. */
export type RenderFeed = (feed: AtomFeed) => string;

const UNTITLED = "Untitled";
const NO_MILLISECONDS = /\.000Z(?=<\/(?:updated|published)>)/g;

/**
 * Writes an Atom 1.0 document (RFC 4287). Ids are urns of the ULIDs, so an entry stays itself when its
 * address changes. Characters that XML forbids are left out.
 */
export function renderAtomFeed(feed: AtomFeed): string {
  const updates = feed.entries.map(({ updatedAt }) => Date.parse(updatedAt));
  const xml = generateAtomFeed(
    {
      id: nameFeed(feed.subject),
      title: textOf(feed.title || UNTITLED),
      ...(feed.subtitle ? { subtitle: textOf(feed.subtitle) } : {}),
      updated: updates.length === 0 ? new Date(feed.createdAt) : new Date(Math.max(...updates)),
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
  return revealMarkup(xml).replace(NO_MILLISECONDS, "Z");
}

function writeEntry(entry: AtomEntry) {
  const { pageUrl, jsonUrl, diff } = entry;
  // Readers open the first alternate, or the last: the page comes first and alone is one.
  const links = [
    { href: pageUrl, rel: "alternate", type: "text/html" },
    ...(jsonUrl === null ? [] : [{ href: jsonUrl, rel: "related", type: "application/json" }]),
    ...(diff ? [{ href: diff.url, rel: "related", type: "text/html" }] : []),
    ...(diff ? [{ href: diff.jsonUrl, rel: "related", type: "application/json" }] : []),
  ];
  return {
    ...(entry.language === null ? {} : { xml: { lang: entry.language } }),
    id: `urn:ulid:${entry.id}`,
    title: textOf(entry.title),
    ...(entry.summary ? { summary: textOf(entry.summary) } : {}),
    authors: [personOf(entry.author)],
    published: new Date(entry.publishedAt),
    updated: new Date(entry.updatedAt),
    ...(entry.categories?.length ? { categories: [...entry.categories] } : {}),
    ...(entry.rights ? { rights: textOf(entry.rights) } : {}),
    links,
  };
}

function nameFeed(subject: FeedSubject): string {
  if (subject.kind === "agent") return `urn:ulid:${subject.agentId}`;
  if (subject.kind === "changes") return `urn:ulid:${subject.creationId}:changes`;
  if (subject.kind === "section") return `urn:ulid:${subject.agentId}:section:${subject.sectionSlug}`;
  // RFC 4151: a host and a date on which it was ours.
  return `tag:${new URL(subject.siteUrl).hostname},2026:broadsheet`;
}

// The writer silently drops a plain string and an empty text, and RFC 4287 wants every title.
function textOf(text: string): { value: string; type: "text" } {
  return { value: hideMarkup(text) || UNTITLED, type: "text" };
}

function personOf({ name, url }: AtomAuthor): { name: string; uri: string } {
  return { name: hideMarkup(name) || UNTITLED, uri: hideMarkup(url) };
}
