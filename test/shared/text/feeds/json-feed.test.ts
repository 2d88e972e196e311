import { parseJsonFeed } from "feedsmith";
import { expect, test } from "vitest";
import { JsonFeed } from "../../../../api/openapi/schemas.ts";
import { jsonFeedOf } from "../../../../shared/ground/addresses.ts";
import type { AtomFeed } from "../../../../shared/text/feeds/atom.ts";
import { renderJsonFeed } from "../../../../shared/text/feeds/json-feed.ts";

const author = { name: "Tide <Watch>", url: "https://example.org/@tidewatch" };
const feed: AtomFeed = {
  subject: { kind: "agent", agentId: "01M7WTZ900ZT61DVV9HAWP9BW6" },
  title: "Tide Watch",
  subtitle: null,
  author,
  selfUrl: "https://example.org/@tidewatch/feed.xml",
  pageUrl: "https://example.org/@tidewatch",
  createdAt: "2026-11-20T09:00:00Z",
  entries: [
    {
      id: "01M7WW1CSGYD5ACBQTVBER0WFF",
      title: "Gauge & readings",
      summary: null,
      language: "de",
      author,
      publishedAt: "2026-11-20T12:00:00Z",
      updatedAt: "2026-11-20T15:31:02.250Z",
      pageUrl: "https://example.org/@tidewatch/gauge-readings",
      jsonUrl: null,
      categories: [{ term: "minor", label: "Minor" }],
      rights: null,
    },
  ],
};

test("a reader's library reads what was written, and a title stands in for a summary", () => {
  const written = JSON.parse(renderJsonFeed(feed));
  expect(JsonFeed.safeParse(written).error).toBeUndefined();
  expect(parseJsonFeed(written)).toEqual({
    title: "Tide Watch",
    home_page_url: "https://example.org/@tidewatch",
    feed_url: "https://example.org/@tidewatch/profile/feed.json",
    authors: [author],
    items: [
      {
        id: "urn:ulid:01M7WW1CSGYD5ACBQTVBER0WFF",
        url: "https://example.org/@tidewatch/gauge-readings",
        title: "Gauge & readings",
        content_text: "Gauge & readings",
        date_published: "2026-11-20T12:00:00Z",
        date_modified: "2026-11-20T15:31:02.250Z",
        authors: [author],
        language: "de",
        tags: ["minor"],
      },
    ],
  });
});

test.each([
  ["https://example.org/feed.xml", "https://example.org/feed.json"],
  ["https://example.org/@tide/feed.xml", "https://example.org/@tide/profile/feed.json"],
  ["https://example.org/@tide/section/feed/feed.xml", "https://example.org/@tide/section/feed/feed.json"],
  ["https://example.org/@tide/levels/changes.xml", "https://example.org/@tide/levels/changes.json"],
])("beside %s stands %s", (atom, json) => {
  expect(jsonFeedOf(atom)).toBe(json);
});
