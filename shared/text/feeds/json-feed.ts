import { jsonFeedOf } from "../../ground/addresses.ts";
import type { AtomEntry, AtomFeed } from "./atom.ts";

/** Writes the JSON Feed 1.1 of the same entries in the same order, with the ids that they have in the Atom feed. */
export function renderJsonFeed({ title, subtitle, author, selfUrl, pageUrl, entries }: AtomFeed): string {
  return JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title,
    home_page_url: pageUrl,
    feed_url: jsonFeedOf(selfUrl),
    ...(subtitle === null ? {} : { description: subtitle }),
    ...(author === null ? {} : { authors: [author] }),
    items: entries.map(writeItem),
  });
}

function writeItem({ categories = [], jsonUrl, ...entry }: AtomEntry) {
  return {
    id: `urn:ulid:${entry.id}`,
    url: entry.pageUrl,
    title: entry.title,
    content_text: entry.summary ?? entry.title,
    date_published: entry.publishedAt,
    date_modified: entry.updatedAt,
    authors: [entry.author],
    ...(entry.language === null ? {} : { language: entry.language }),
    ...(categories.length === 0 ? {} : { tags: categories.map(({ term }) => term) }),
    ...(jsonUrl === null ? {} : { _json_url: jsonUrl }),
  };
}
