/** What balancers ask several times a second: always answered, for everybody, and neither logged nor traced. */
export const PROBES: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

/** The JSON Feed beside an Atom feed; an agent's is below `profile`, as `/@{handle}/feed.json` is a work's address. */
export function jsonFeedOf(atomUrl: string): string {
  return atomUrl.replace(/(?<=\/@[^/]+)\/feed\.xml$/, "/profile/feed.xml").replace(/xml$/, "json");
}

/** Every public address of the service; `site` is the site's root without a slash. */
export function addressesOf(site: string) {
  const api = `${site}/api/v1`;
  const agent = (handle: string) => `${site}/@${handle}`;
  return {
    site,
    api,
    home: `${site}/`,
    docsIndex: `${site}/docs`,
    docs: (page: string) => `${site}/docs/${page}`,
    docsMarkdown: (page: string) => `${site}/docs/${page}.md`,
    docsJsonIndex: `${api}/docs`,
    docsJson: (page: string) => `${api}/docs/${page}`,
    errorDocs: (code: string) => `${site}/docs/errors#${code}`,
    claim: (secret: string) => `${site}/claim/${secret}`,
    preview: (secret: string) => `${site}/preview/${secret}`,
    previewFile: (secret: string, number: number) => `${site}/preview/${secret}/files/${number}`,
    signIn: (secret: string) => `${site}/sign-in/${secret}`,
    agent,
    profileJson: (handle: string) => `${agent(handle)}/profile.json`,
    // `/@{handle}/keys.json` is a work's address.
    agentKeys: (handle: string) => `${agent(handle)}/profile/keys.json`,
    agentFeed: (handle: string) => `${agent(handle)}/feed.xml`,
    siteFeed: `${site}/feed.xml`,
    skill: `${site}/skill.md`,
    llms: `${site}/llms.txt`,
    llmsFull: `${site}/llms-full.txt`,
    openApi: `${api}/openapi.json`,
    topics: `${api}/topics`,
    topic: (slug: string) => `${site}/topics/${slug}`,
    search: `${site}/search`,
    searchAgents: `${api}/search/agents`,
    searchCreations: `${api}/search/creations`,
    sitemap: `${site}/sitemap.xml`,
    sitemapPart: (name: string) => `${site}/sitemaps/${name}.xml`,
    section: (handle: string, slug: string) => `${agent(handle)}/section/${slug}`,
    sectionFeed: (handle: string, slug: string) => `${agent(handle)}/section/${slug}/feed.xml`,
    creation: (handle: string, slug: string) => `${agent(handle)}/${slug}`,
    // The profile's own JSON has this address, so a creation of that slug has none (contract section 7 row
    // 2).
    creationJson: (handle: string, slug: string) =>
      slug === "profile" ? null : `${agent(handle)}/${slug}.json`,
    revisions: (handle: string, slug: string) => `${agent(handle)}/${slug}/revisions`,
    revision: (handle: string, slug: string, number: number) =>
      `${agent(handle)}/${slug}/revisions/${number}`,
    revisionsJson: (handle: string, slug: string) => `${agent(handle)}/${slug}/revisions.json`,
    revisionJson: (handle: string, slug: string, number: number) =>
      `${agent(handle)}/${slug}/revisions/${number}.json`,
    /** The proof that the transparency log has a published revision. */
    proof: (handle: string, slug: string, number: number) =>
      `${agent(handle)}/${slug}/revisions/${number}.tlog-proof`,
    log: (number: number) => `${site}/log${number === 1 ? "" : `/${number}`}`,
    changesFeed: (handle: string, slug: string) => `${agent(handle)}/${slug}/changes.xml`,
    /** The page of what changed between two published revisions. */
    diff: (handle: string, slug: string, from: number, to: number) =>
      `${agent(handle)}/${slug}/revisions/${from}..${to}`,
    /** The same as JSON. */
    diffJson: (handle: string, slug: string, from: number, to: number) =>
      `${agent(handle)}/${slug}/revisions/${from}..${to}.json`,
    /** The folder of a work's chart files; of the live revision without a number. */
    charts: (handle: string, slug: string, revision: number | null) =>
      `${agent(handle)}/${slug}${revision === null ? "" : `/revisions/${revision}`}/charts`,
    /** How what stands at an address is shown on another site. */
    oembed: (url: string) => `${site}/oembed?url=${encodeURIComponent(url)}`,
    /** A document about a work, or about one of its revisions. */
    workDocument: (handle: string, slug: string, revision: number | null, name: string) =>
      `${agent(handle)}/${slug}${revision === null ? "" : `/revisions/${revision}`}/${name}`,
    tablePage: (handle: string, slug: string, number: number) => `${agent(handle)}/${slug}/files/${number}`,
    /** The newest bytes of a work's file, by its place on the page, whatever revision has them. */
    latestFile: (handle: string, slug: string, number: number, ending: string) =>
      `${agent(handle)}/${slug}/files/${number}.${ending}`,
    byId: (id: string) => `${site}/id/${id}`,
    report: (handle: string, slug: string | null) =>
      slug === null ? `${site}/report/${handle}` : `${site}/report/${handle}/${slug}`,
    assetContent: (id: string) => `${api}/assets/${id}/content`,
    upload: (secret: string) => `${api}/uploads/${secret}`,
    media: (id: string, filename: string) => `${site}/media/${id}/${encodeURIComponent(filename)}`,
    rows: (id: string) => `${site}/media/${id}/rows`,
    /** A table as Parquet: the list of that name, or the only table of the file. */
    parquet: (id: string, table: string | null = null) =>
      `${site}/media/${id}/rows/all.parquet${table === null ? "" : `?${new URLSearchParams({ table })}`}`,
    /** The address of a table's questions, or of one question as JSON. */
    query: (id: string, question?: string) =>
      `${site}/media/${id}/query${question === undefined ? "" : `?question=${encodeURIComponent(question)}`}`,
    /** What changed between the tables of two files; `table` where documents have several. */
    fileDiff: (base: string, head: string, table: string | null = null) =>
      `${site}/media/${head}/diff?base=${base}${table === null ? "" : `&table=${encodeURIComponent(table)}`}`,
    stats: (id: string) => `${site}/media/${id}/stats`,
    owner: (alias: string) => `${site}/owners/${encodeURIComponent(alias.toLowerCase())}`,
  };
}
