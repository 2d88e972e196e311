import fc from "fast-check";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { describe, expect, test } from "vitest";
import {
  type AtomEntry,
  type AtomFeed,
  renderAtomFeed,
  toXmlText,
} from "../../../../shared/text/feeds/atom.ts";
import { runs } from "../../../support/depth.ts";

const entry: AtomEntry = {
  id: "01M7WW1CSGYD5ACBQTVBER0WFF",
  title: "Gauge readings",
  summary: "Hourly, 42 gauges.",
  language: null,
  author: { name: "Tide Watch", url: "https://example.org/@tidewatch" },
  publishedAt: "2026-11-20T12:00:00Z",
  updatedAt: "2026-11-20T15:31:02Z",
  pageUrl: "https://example.org/@tidewatch/gauge-readings",
  jsonUrl: "https://example.org/@tidewatch/gauge-readings.json",
  rights: null,
};
const feed: AtomFeed = {
  subject: { kind: "agent", agentId: "01M7WTZ900ZT61DVV9HAWP9BW6" },
  title: "Tide Watch",
  subtitle: "Tide gauges, read daily",
  author: entry.author,
  selfUrl: "https://example.org/@tidewatch/feed.xml",
  pageUrl: "https://example.org/@tidewatch",
  createdAt: "2026-11-20T09:00:00Z",
  entries: [entry],
};
const other: AtomEntry = { ...entry, id: "01M7WVCCXGEVQM8BZ45NSYPBF2", updatedAt: "2026-11-21T08:00:00Z" };

interface ReadLink {
  href: string;
  rel: string;
  type: string;
}
interface ReadText {
  "#text": string;
  type: string;
}
interface ReadEntry {
  category?: { term: string } | { term: string }[];
  id: string;
  title: ReadText;
  summary?: ReadText;
  rights?: ReadText;
  author: { name: string; uri: string }[];
  published: string;
  updated: string;
  link: ReadLink[];
}
interface ReadFeed extends ReadEntry {
  xmlns: string;
  subtitle?: ReadText;
  entry?: ReadEntry[];
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseTagValue: false,
  trimValues: false,
  processEntities: { enabled: true, maxTotalExpansions: 100_000, maxExpandedLength: 10_000_000 },
  isArray: (name) => ["entry", "author", "link"].includes(name),
});
const read = (of: AtomFeed): ReadFeed => parser.parse(renderAtomFeed(of)).feed;
const readEntry = (of: Partial<AtomEntry>): ReadEntry => {
  const [first] = read({ ...feed, entries: [{ ...entry, ...of }] }).entry ?? [];
  if (!first) throw new Error("The feed has no entry.");
  return first;
};
const dates = (xml: string): string[] =>
  [...xml.matchAll(/<(?:updated|published)>([^<]*)</g)].map((match) => match[1] ?? "");

describe("RFC 4287 MUSTs", () => {
  test("2: the document is well-formed XML in the Atom namespace", () => {
    expect(XMLValidator.validate(renderAtomFeed(feed))).toBe(true);
    expect(read(feed).xmlns).toBe("http://www.w3.org/2005/Atom");
  });
  test("3.2: every person has a name", () => {
    expect(read(feed).author[0]).toMatchObject({ name: "Tide Watch", uri: "https://example.org/@tidewatch" });
    expect(readEntry({ author: { name: "\u0001", url: "https://example.org/@x" } }).author[0]?.name).toBe(
      "Untitled",
    );
  });
  test("3.3: dates are RFC 3339 with an upper-case T and Z", () => {
    for (const date of dates(renderAtomFeed(feed))) expect(date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(dates(renderAtomFeed(feed))).toHaveLength(3);
  });
  test("4.1.1: a feed without an author of its own has one in every entry", () => {
    const site = read({ ...feed, author: null, entries: [entry, other] });
    expect(site.author).toBeUndefined();
    expect(site.entry?.every(({ author }) => author.length === 1)).toBe(true);
  });
  test("4.1.1: a feed has no two alternate links of one type", () => {
    const types = read(feed).link.filter(({ rel }) => rel === "alternate");
    expect(types.map(({ type }) => type)).toEqual(["text/html"]);
  });
  test("4.1.1: a feed links to itself", () => {
    expect(read(feed).link[0]).toEqual({ href: feed.selfUrl, rel: "self", type: "application/atom+xml" });
  });
  test("4.2.10: an entry has the rights of its work as text, and none where none are given", () => {
    const rights = "A <b>licence</b> & more, https://example.org/?a=1&b=2";
    expect(readEntry({ rights }).rights).toEqual({ "#text": rights, type: "text" });
    expect(readEntry({})).not.toHaveProperty("rights");
  });
  test("2: an entry has the language of its work, where it is said", () => {
    expect(readEntry({ language: "pt-BR" })).toHaveProperty("xml:lang", "pt-BR");
    expect(readEntry({})).not.toHaveProperty("xml:lang");
  });
  test("4.1.2: an entry without content has an alternate link: the page, alone of that relation and first", () => {
    const { link } = readEntry({});
    expect(link.map(({ rel, type, href }) => [rel, type, href])).toEqual([
      ["alternate", "text/html", entry.pageUrl],
      ["related", "application/json", entry.jsonUrl],
    ]);
  });
  test("4.1.2: an entry without a JSON address has the page alone", () => {
    expect(readEntry({ jsonUrl: null }).link.map(({ type }) => type)).toEqual(["text/html"]);
  });
  test("4.1.2: an entry has a category for each of its words, and none without", () => {
    expect(readEntry({ categories: [{ term: "minor" }] }).category).toEqual({ term: "minor" });
    const made = { term: "algorithmicMedia", scheme: "http://cv.iptc.org/", label: "Computed & checked" };
    expect(readEntry({ categories: [made] }).category).toEqual(made);
    expect(readEntry({ categories: [] })).not.toHaveProperty("category");
    expect(readEntry({})).not.toHaveProperty("category");
  });
  test("4.2.6: ids are IRIs that hold no page address, and differ between feeds and entries", () => {
    const section = {
      kind: "section",
      agentId: "01M7WTZ900ZT61DVV9HAWP9BW6",
      sectionSlug: "reports",
    } as const;
    const ids = [
      read(feed).id,
      read({ ...feed, subject: section }).id,
      read({ ...feed, subject: { kind: "changes", creationId: entry.id } }).id,
      read({ ...feed, subject: { kind: "site", siteUrl: "https://example.org:8443" } }).id,
      readEntry({}).id,
    ];
    expect(ids).toEqual([
      "urn:ulid:01M7WTZ900ZT61DVV9HAWP9BW6",
      "urn:ulid:01M7WTZ900ZT61DVV9HAWP9BW6:section:reports",
      "urn:ulid:01M7WW1CSGYD5ACBQTVBER0WFF:changes",
      "tag:example.org,2026:broadsheet",
      "urn:ulid:01M7WW1CSGYD5ACBQTVBER0WFF",
    ]);
  });
  test("4.2.14: a title that is nothing but forbidden characters is still a title", () => {
    expect(readEntry({ title: "\u0000\u0001" }).title["#text"]).toBe("Untitled");
  });
  test("4.2.15: a feed was updated when its newest entry was", () => {
    expect(read({ ...feed, entries: [entry, other] }).updated).toBe(other.updatedAt);
    expect(read({ ...feed, entries: [other, entry] }).updated).toBe(other.updatedAt);
  });
  test("4.2.15: an empty feed was updated when it was made", () => {
    expect(read({ ...feed, entries: [] })).toMatchObject({ updated: feed.createdAt });
    expect(read({ ...feed, entries: [] }).entry).toBeUndefined();
  });
});

test("the writer's plain-string trap: titles, subtitle and summary are all there", () => {
  expect(read(feed)).toMatchObject({
    title: { "#text": "Tide Watch", type: "text" },
    subtitle: { "#text": "Tide gauges, read daily", type: "text" },
  });
  expect(readEntry({}).summary).toEqual({ "#text": "Hourly, 42 gauges.", type: "text" });
  expect(readEntry({ summary: null }).summary).toBeUndefined();
});

test("addresses with an ampersand stay whole", () => {
  expect(readEntry({ pageUrl: "https://example.org/?a=1&b='2'" }).link[0]?.href).toBe(
    "https://example.org/?a=1&b='2'",
  );
});

test("any Unicode title, summary and name is well-formed XML that reads back as written", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.string({ unit: "grapheme", maxLength: 60 }),
    fc
      .array(
        fc.constantFrom("&", "<", ">", "]]>", "&apos;", "&#0;", "'", '"', "\u0001", "\ud800", "é", " "),
        {
          maxLength: 20,
        },
      )
      .map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(texts, texts, texts, (title, summary, name) => {
      const of = {
        ...feed,
        title,
        entries: [{ ...entry, title, summary, author: { name, url: "https://a.b" } }],
      };
      const xml = renderAtomFeed(of);
      expect(XMLValidator.validate(xml)).toBe(true);
      expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffd-\uffff]/);
      const [first] = read(of).entry ?? [];
      expect(first?.title["#text"]).toBe(toXmlText(title) || "Untitled");
      if (toXmlText(summary)) expect(first?.summary?.["#text"]).toBe(toXmlText(summary));
      expect(first?.author[0]?.name).toBe(toXmlText(name) || "Untitled");
    }),
    { numRuns: runs(500) },
  );
});

test("an entry has the milliseconds of its own update, whatever stands beside it", () => {
  const at = (id: string, updatedAt: string): AtomEntry => ({ ...entry, id, updatedAt });
  const crowded = read({
    ...feed,
    entries: [
      at("01M7WW1CSGYD5ACBQTVBER0WF1", "2026-11-20T15:31:02.250Z"),
      at("01M7WW1CSGYD5ACBQTVBER0WF2", "2026-11-20T15:31:02.000Z"),
      at("01M7WW1CSGYD5ACBQTVBER0WF3", "2026-11-20T15:31:01.999Z"),
    ],
  });
  const told = ["2026-11-20T15:31:02.250Z", "2026-11-20T15:31:02Z", "2026-11-20T15:31:01.999Z"];
  expect(crowded.entry?.map(({ updated }) => updated)).toEqual(told);
  expect(crowded.updated).toBe(told[0]);
});

test("the text of a title is kept but for what nobody sees, line breaks and white space at its ends", () => {
  expect(toXmlText(" a\u0001b\tc\r\nd\u{1f30a} \ud800e\u0085f\u0090\ufffdg ")).toBe("ab c d\u{1f30a} e fg");
});
