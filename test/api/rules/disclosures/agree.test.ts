import { parseAtomFeed } from "feedsmith";
import { type Item, parseDictionary } from "structured-headers";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { connectAuthor, type Json, publishNew, type Reply, request } from "../../../support/agent.ts";
import { some } from "../../../support/depth.ts";
import { expandJsonLd } from "../../../support/json-ld.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { readPage, readText } from "../../pages/dom.ts";
import { expectedOf, REVIEWED_AT, SAMPLES, type Sample, saidOf } from "./expected.ts";

const slugOf = ({ type, origin, review }: Sample) => `${type}-${origin}-${review}`.replaceAll("_", "-");
const service = await openService({ workers: false });
const agent = await connectAuthor(service, { handle: "tidewatch" });
const story = await publishNew(agent);
await copyWork(story, SAMPLES);

/** Copies a published work once for each sample, in one statement. */
async function copyWork({ id }: Json, samples: readonly Sample[]): Promise<void> {
  const rows = samples.map((sample) => ({
    id: service.deps.newId(),
    revision_id: service.deps.newId(),
    slug: slugOf(sample),
    type: sample.type,
    disclosure: saidOf(sample),
    owner_reviewed_at: sample.review === "owner" ? REVIEWED_AT : null,
  }));
  await runSql(
    service,
    `WITH sample AS (SELECT * FROM jsonb_to_recordset($2) AS s (id text, revision_id text, slug text, type text,
        disclosure jsonb, owner_reviewed_at text)),
      works AS (INSERT INTO creations SELECT (jsonb_populate_record(c, jsonb_build_object('id', s.id, 'slug', s.slug,
        'type', s.type, 'latest_revision_id', s.revision_id, 'live_revision_id', s.revision_id))).*
        FROM creations c, sample s WHERE c.id = $1)
    INSERT INTO creation_revisions SELECT (jsonb_populate_record(r, jsonb_build_object('id', s.revision_id,
      'creation_id', s.id, 'disclosure', s.disclosure, 'owner_reviewed_at', s.owner_reviewed_at))).*
    FROM creation_revisions r, sample s WHERE r.creation_id = $1`,
    [id, JSON.stringify(rows)],
  );
}

const get = async (url: string): Promise<Reply> => await request(service, { method: "GET", url });

/** The header as a parser of RFC 9651 reads it; null without one. */
function readHeader({ headers }: Reply): Json {
  const header = headers["ai-disclosure"];
  if (header === undefined) return null;
  return Object.fromEntries(
    Array.from(parseDictionary(String(header)), ([name, item]) => [name, `${(item as Item)[0]}`]),
  );
}

/** What a page says beside the byline, and in its JSON-LD. */
async function readHtml({ text }: Reply, url: string) {
  const page = readPage(text);
  const [script] = page.all("script", "type", "application/ld+json");
  const [about] =
    script === undefined
      ? []
      : await expandJsonLd(JSON.parse(readText(script)), `http://localhost:3000${url}`);
  const [source] = about?.["http://schema.org/digitalSourceType"] ?? [];
  const [byline] = page.all("p", "class", "by");
  return {
    words: page.all("b").map(readText).slice(1, 2),
    reviewed: byline === undefined ? null : /Reviewed by its owner on (.*?\d{4})/.exec(readText(byline))?.[1],
    jsonLd: source?.["@value"] ?? null,
  };
}

test.each(some(SAMPLES, 7).map((sample) => [slugOf(sample), sample] as const))(
  "%s: page, JSON-LD, JSON, revision, Markdown, feed and header say the same",
  async (slug, sample) => {
    const expected = expectedOf(sample);
    const url = `/@tidewatch/${slug}`;
    const [page, old, json, revision, feed, ...twins] = await Promise.all(
      [...["", "/revisions/1", ".json", "/revisions/1.json", "/changes.xml", ".md", "/revisions/1.md"]].map(
        (end) => get(`${url}${end}`),
      ),
    );
    if (!page || !old || !json || !revision || !feed) throw new Error("an answer is missing");
    const matters = twins.map(({ text }) => parse(text.slice(4, text.indexOf("\n---\n"))).disclosure);
    expect(matters).toEqual(Array(2).fill(expected.json?.origin ?? null));
    expect([json.json.data.disclosure, revision.json.data.disclosure]).toEqual([
      expected.json,
      expected.json,
    ]);
    expect([page, old, json, revision, ...twins].map(readHeader)).toEqual(Array(6).fill(expected.header));
    const reviewed = sample.review === "owner" ? "21 November 2026" : undefined;
    const words = [expected.words];
    expect(await readHtml(page, url)).toEqual({ words, reviewed, jsonLd: expected.jsonLd });
    expect(await readHtml(old, url)).toMatchObject({ words, reviewed });
    const [entry] = parseAtomFeed(feed.text).entries ?? [];
    expect(entry?.categories ?? []).toEqual(expected.category === null ? [] : [expected.category]);
  },
);

test("the feeds of the agent and of the site have the category of each of their works", async () => {
  const bySlug = new Map(SAMPLES.map((sample) => [slugOf(sample), expectedOf(sample).category]));
  for (const url of ["/@tidewatch/feed.xml", "/feed.xml"]) {
    const entries = parseAtomFeed((await get(url)).text).entries ?? [];
    const named = entries.map(({ links, categories }) => ({
      slug:
        links
          ?.find(({ type }) => type === "text/html")
          ?.href?.split("/")
          .at(-1) ?? "",
      category: categories?.[0] ?? null,
    }));
    expect(named.length).toBe(50);
    const known = named.filter(({ slug }) => bySlug.has(slug));
    expect(known).toEqual(known.map(({ slug }) => ({ slug, category: bySlug.get(slug) })));
    expect(known.length).toBeGreaterThan(40);
  }
});
