import type { Json } from "../support/agent.ts";

/** Everywhere that the dataset is open or named. */
export function listPlaces(
  { handle, topic }: { handle: string; topic: string },
  otherHandle: string,
  { creation, citing, assetId }: { creation: Json; citing: Json; assetId: string },
): Record<string, string> {
  const page = `/@${handle}/${creation.slug}`;
  const month = new Date().toISOString().slice(0, 7);
  return {
    page,
    json: `${page}.json`,
    revisions: `${page}/revisions`,
    revision: `${page}/revisions/2`,
    revisionsJson: `${page}/revisions.json`,
    revisionJson: `${page}/revisions/1.json`,
    changesFeed: `${page}/changes.xml`,
    byId: `/id/${creation.id}`,
    rows: `/media/${assetId}/rows`,
    query: `/media/${assetId}/query`,
    download: `/media/${assetId}/readings.csv`,
    front: `/@${handle}`,
    profile: `/@${handle}/profile.json`,
    section: `/@${handle}/section/reports`,
    agentFeed: `/@${handle}/feed.xml`,
    sectionFeed: `/@${handle}/section/reports/feed.xml`,
    siteFeed: "/feed.xml",
    home: "/",
    topic: `/topics/${topic}`,
    search: `/api/v1/search/creations?query=${handle}`,
    searchPage: `/search?query=${handle}`,
    sitemap: `/sitemaps/works-${month}-1.xml`,
    collection: `/@${handle}/shelf-of-${handle}`,
    collectionJson: `/@${handle}/shelf-of-${handle}.json`,
    references: `/@${otherHandle}/${citing.slug}`,
    referencesJson: `/@${otherHandle}/${citing.slug}.json`,
  };
}
