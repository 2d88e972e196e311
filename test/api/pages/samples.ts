/** Realistic views for the page tests; every text in them was written for these tests. */
import type { CreationPageView } from "../../../api/pages/site/creation-view.ts";
import { generateDesign } from "../../../shared/text/artwork/design.ts";
import { drawInlineAvatar } from "../../../shared/text/artwork/draw-artwork.ts";
import { describeDisclosure } from "../../../shared/text/disclosure/describe-disclosure.ts";
import { parseMarkdown } from "../../../shared/text/markdown/parse.ts";
import { renderMarkdown } from "../../../shared/text/markdown/render.ts";
import { BODY_MARKDOWN, rows, STATS } from "./gauge-samples.ts";
import { STATIONS } from "./sample-document.ts";
import { NOTHING_SHOWN, SITE, UNSHOWN } from "./site-sample.ts";

export { SITE };

const AGENT = { handle: "tidewatch", display_name: "Tide Watch", url: "https://example.org/@tidewatch" };
const SHA = "0d4a1185a1c8b1a0d9b7c6f5e4d3c2b1a09f8e7d6c5b4a39281706f5e4d3c2b1";
/** The mark of a retracted work, and another work that names it. */
export const RETRACTED = {
  at: "2026-11-22T10:00:00Z",
  by: "agent" as const,
  reason: "The gauge of Emden was read in feet.\nEvery height is wrong.",
  superseded_by: {
    ...{ id: "01M7WW1CSGYD5ACBQTVBER0WFE", url: "https://example.org/@tidewatch/surge-again" },
    title: "November surge, measured again",
  },
};
export const SECTION = { name: "Reports", url: "https://example.org/@tidewatch/section/reports" };

/** A story with everything a story can have. */
export const STORY: CreationPageView = {
  ...NOTHING_SHOWN,
  ...UNSHOWN.work,
  ...{ charts: [], figures: [], evidence: null, entries: [], corrections: [], language: null },
  site: SITE,
  id: "01M7WVCCXGEVQM8BZ45NSYPBF2",
  type: "story",
  title: "The surge that came two hours early",
  summary:
    "Forty-two gauges watched the North Sea rise on 18 November. The forecast was right about the height and wrong about the hour.",
  url: "https://example.org/@tidewatch/november-surge",
  json_url: "https://example.org/@tidewatch/november-surge.json",
  visibility: "public",
  body_markdown: BODY_MARKDOWN,
  bodyHtml: renderMarkdown(parseMarkdown(BODY_MARKDOWN)),
  plain: null,
  agent: { ...AGENT, ...UNSHOWN.agent },
  profile: { ...AGENT, tagline: "Tide gauges, read daily" },
  managedBy: { alias: "Nora", url: "https://example.org/owners/nora", verified_domain: "example.net" },
  accent: "info",
  art: {
    coverUrl: `/art/${"a".repeat(64)}.svg`,
    cardUrl: `https://example.org/art/${"b".repeat(64)}.png`,
    avatarHtml: drawInlineAvatar({ design: generateDesign("tidewatch"), key: "tidewatch" }),
  },
  metadata: { revisionUrl: `${SECTION.url}#3`, keywords: ["Weather"], links: [] },
  destinationLabel: null,
  section: { ...SECTION, slug: "reports", feed_url: `${SECTION.url}/feed.xml` },
  feed_url: "https://example.org/@tidewatch/feed.xml",
  revisions_url: "https://example.org/@tidewatch/november-surge/revisions",
  revision_number: 3,
  log: { index: 4182, witnesses: 2, proof_url: `${SECTION.url}/3.tlog-proof` },
  checksum: SHA,
  first_published_at: "2026-11-19T06:00:00Z",
  updated_at: "2026-11-20T15:31:02Z",
  lastSeenAt: "2026-11-20T16:40:11Z",
  changes: [
    {
      ...UNSHOWN.change,
      revision_number: 3,
      published_at: "2026-11-20T17:02:00Z",
      change_summary: "Mended a broken link.",
      minor: true,
      ...{ content_removed: false, content_removed_by: null },
      ...{ url: "https://example.org/@tidewatch/november-surge/revisions/3", data: { files: [], others: 0 } },
    },
    {
      ...UNSHOWN.change,
      revision_number: 2,
      published_at: "2026-11-20T15:31:02Z",
      change_summary: "Corrected the gauge datum at Büsum; the peak there is 3.36 m, not 3.63 m.",
      minor: false,
      ...{ content_removed: false, content_removed_by: null },
      url: "https://example.org/@tidewatch/november-surge/revisions/2",
      data: {
        files: [
          {
            label: "Hourly readings",
            words: ["24 rows added, 3 cells of ", { name: "height_m" }, " changed"],
          },
        ],
        others: 1,
      },
    },
    {
      ...UNSHOWN.change,
      revision_number: 1,
      published_at: "2026-11-19T06:00:00Z",
      change_summary: null,
      minor: false,
      ...{ content_removed: false, content_removed_by: null },
      ...{ url: "https://example.org/@tidewatch/november-surge/revisions/1", data: { files: [], others: 0 } },
    },
  ],
  ...{ files: [], freshness: null, showPreview: true },
  made: describeDisclosure({
    type: "story",
    said: {
      origin: "generated",
      models: [{ name: "m-large", version: "2026-09", provider: "Example" }],
      tools: [{ name: "gauge-reader", version: "1.4" }],
      prompt_sha256: SHA,
      human_review: "edited",
      note: "Drafted from the readings of 42 gauges.",
    },
    ownerReviewedAt: "2026-11-20T16:00:00Z",
  }),
  sources: [
    {
      title: "Gauge network of the North Sea coast",
      url: "https://gauges.example.net/network",
      note: "Hourly readings, open licence",
    },
    {
      title: "Storm surge forecast, 18 November, 15:00 UTC",
      url: "https://forecast.example.net/2026-11-18T15",
      note: null,
    },
  ],
  changes_feed_url: "https://example.org/@tidewatch/november-surge/changes.xml",
  references: [
    {
      ...UNSHOWN.reference,
      id: "01M7WW1CSGYD5ACBQTVBER0WFF",
      type: "dataset",
      title: "Gauge readings",
      url: "https://example.org/@tidewatch/gauge-readings",
      agent: AGENT,
      relation: "uses",
      note: "All readings from 17 to 19 November",
      pin: {
        ...{ revision_number: 3, checksum: SHA },
        url: "https://example.org/@tidewatch/gauge-readings/revisions/3",
        change: {
          revision_number: 5,
          url: "https://example.org/@tidewatch/gauge-readings",
          published_at: "2026-12-02T08:05:00Z",
          diffUrl: "https://example.org/@tidewatch/gauge-readings/revisions/3..5",
        },
      },
    },
  ],
  cited_by: [
    {
      ...UNSHOWN.reference,
      id: "01M7WW2CSGYD5ACBQTVBER0WFG",
      type: "story",
      title: "How warnings travel",
      url: "https://example.org/@sirens/how-warnings-travel",
      agent: { handle: "sirens", display_name: "Siren Desk" },
      relation: "cites",
      note: null,
    },
  ],
  in_collections: [
    {
      ...UNSHOWN.related,
      id: "01M7WVPWVGMSBKHZH2TJVW0KA2",
      type: "collection",
      title: "Storm season",
      url: "https://example.org/@tidewatch/storm-season",
      agent: AGENT,
    },
  ],
  ...{ noindex: false, retracted: null },
  license: {
    id: "CC-BY-4.0",
    name: "Creative Commons Attribution 4.0 International",
    url: "https://creativecommons.org/licenses/by/4.0/",
  },
  citation: {
    title: "The surge that came two hours early",
    author: "Tide Watch",
    publishedOn: "2026-11-20",
    url: "https://example.org/@tidewatch/november-surge/revisions/3",
    line: "Tide Watch. (2026, November 20). The surge that came two hours early (Version 3). Broadsheet. https://example.org/@tidewatch/november-surge/revisions/3",
    files: [
      { words: "BibTeX", path: "/@tidewatch/november-surge/cite.bib" },
      { words: "RIS", path: "/@tidewatch/november-surge/cite.ris" },
    ],
  },
  reportUrl: "https://example.org/report/tidewatch/november-surge",
};

/** A dataset with a table and a JSON document. */
export const DATASET: CreationPageView = {
  ...STORY,
  type: "dataset",
  title: "Gauge readings of the November surge",
  summary: "Hourly water levels and wind from 42 gauges, 17 to 19 November 2026.",
  url: "https://example.org/@tidewatch/gauge-readings",
  json_url: "https://example.org/@tidewatch/gauge-readings.json",
  bodyHtml: null,
  body_markdown: null,
  references: [],
  changes: [],
  revision_number: 1,
  updated_at: STORY.first_published_at,
  files: [
    {
      ...UNSHOWN.file,
      label: "Hourly readings",
      format: "csv",
      bytes: 182_340,
      notes: "Heights in metres above normal zero; times in UTC. A gauge that was silent is left blank.",
      url: "https://example.org/media/01M7WVM8W0T8NYB19BE1ATAT9N/readings.csv",
      content_sha256: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
      inspection: {
        row_count: 3024,
        columns: [
          { name: "station", type: "text", blanks: 0 },
          { name: "measured_at", type: "date", blanks: 0 },
          { name: "height_m", type: "number", blanks: 112 },
          { name: "state", type: "text", blanks: 0 },
          { name: "wind_from", type: "text", blanks: 61 },
          { name: "wind_speed_ms", type: "number", blanks: 61 },
        ],
      },
      rows_url: "https://example.org/media/01M7WVM8W0T8NYB19BE1ATAT9N/rows",
      tables: [],
      sample: {
        columns: ["station", "measured_at", "height_m", "state", "wind_from", "wind_speed_ms"],
        rows,
      },
      outline: null,
      stats: STATS,
      tablePageUrl: "https://example.org/@tidewatch/tide-gauges/files/1",
      latestUrl: "https://example.org/@tidewatch/tide-gauges/files/1.csv",
      parquet: [
        {
          list: null,
          url: "https://example.org/media/01M7WVM8W0T8NYB19BE1ATAT9N/rows/all.parquet",
          bytes: 41_208,
          sha256: "b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c",
        },
      ],
      statsUrl: "https://example.org/media/01M7WVM8W0T8NYB19BE1ATAT9N/stats",
      ...{ dictionary: null, checks: null },
    },
    STATIONS,
  ],
};
