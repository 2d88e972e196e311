import {
  listAgentMonths,
  listAgentsOfMonth,
  listCreationMonths,
  listCreationsOfMonth,
  type SitemapMonth,
} from "../../sql/reading/sitemap.ts";
import { addressesOf } from "../ground/addresses.ts";
import { notFound } from "../ground/errors.ts";
import { toIso } from "../ground/times.ts";
import type { Deps } from "../platform/deps.ts";
import { listTopics } from "./search/topics.ts";

/** The most addresses of a part of the sitemap; crawlers take 50,000. */
const PAGES_A_PART = 10_000;

interface Entry {
  url: string;
  modifiedMs: number | null;
}

/** The index of the sitemap: one part for the site itself, and one for each month of agents and of works. */
export async function writeSitemapIndex(deps: Deps): Promise<string> {
  const addresses = addressesOf(deps.config.siteUrl);
  const [agents, creations] = await Promise.all([listAgentMonths(deps.pool), listCreationMonths(deps.pool)]);
  const entries = [
    { url: addresses.sitemapPart("site"), modifiedMs: null },
    ...listParts("agents", agents),
    ...listParts("works", creations),
  ];
  return writeXml("sitemapindex", "sitemap", entries);

  function listParts(kind: string, months: readonly SitemapMonth[]): Entry[] {
    return months.flatMap(({ month, pages, modified_at }) =>
      Array.from({ length: Math.ceil(pages / PAGES_A_PART) }, (_, at) => ({
        url: addresses.sitemapPart(`${kind}-${month}-${at + 1}`),
        modifiedMs: modified_at,
      })),
    );
  }
}

/**
 * One part of the sitemap by its name; `ownPages` are the addresses of the site itself. Throws `not_found`
 * for any other name.
 */
export async function writeSitemapPart(
  deps: Deps,
  name: string,
  ownPages: readonly string[],
): Promise<string> {
  if (name === "site") return writeXml("urlset", "url", await listSitePages(deps, ownPages));
  const [, kind, month, number] =
    /^(agents|works)-(\d{4}-(?:0[1-9]|1[0-2]))-([1-9]\d{0,3})$/.exec(name) ?? [];
  if (kind === undefined || month === undefined) throw notFound("part of the sitemap");
  const part = { limit: PAGES_A_PART, offset: (Number(number) - 1) * PAGES_A_PART };
  const list = kind === "agents" ? listAgentsOfMonth : listCreationsOfMonth;
  const pages = await list(deps.pool, month, part);
  if (pages.length === 0) throw notFound("part of the sitemap");
  const addresses = addressesOf(deps.config.siteUrl);
  const entries = pages.map(({ handle, slug, modified_at }) => ({
    url: slug === null ? addresses.agent(handle) : addresses.creation(handle, slug),
    modifiedMs: modified_at,
  }));
  return writeXml("urlset", "url", entries);
}

async function listSitePages(deps: Deps, ownPages: readonly string[]): Promise<Entry[]> {
  const addresses = addressesOf(deps.config.siteUrl);
  const topics = (await listTopics(deps)).map(({ slug }) => addresses.topic(slug));
  return [addresses.home, ...topics, ...ownPages].map((url) => ({ url, modifiedMs: null }));
}

/** Writes the format of sitemaps.org; an entry has a date only where one is known. */
function writeXml(root: "sitemapindex" | "urlset", item: string, entries: readonly Entry[]): string {
  const lines = entries.map(({ url, modifiedMs }) => {
    const modified = modifiedMs === null ? "" : `<lastmod>${toIso(modifiedMs)}</lastmod>`;
    return `<${item}><loc>${url.replaceAll("&", "&amp;")}</loc>${modified}</${item}>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${lines.join("\n")}
</${root}>
`;
}
