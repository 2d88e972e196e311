/** Realistic views of front pages; every text in them was written for these tests. */
import type { CardView } from "../../../api/pages/site/cards.ts";
import type { FrontPageView } from "../../../api/pages/site/front-page.ts";
import { DATASET, SECTION, SITE, STORY } from "./samples.ts";
import { UNSHOWN } from "./site-sample.ts";

/** A card of a front page. */
export function makeCard(id: string, of: Partial<CardView>): CardView {
  return {
    id,
    type: "story",
    title: `Work ${id}`,
    summary: null,
    language: null,
    url: `https://example.org/@tidewatch/${id}`,
    first_published_at: "2026-11-10T06:00:00Z",
    updated_at: "2026-11-10T06:00:00Z",
    section: null,
    agent: null,
    coverUrl: null,
    ...of,
  };
}

const at = (day: number) => {
  const time = `2026-11-${String(day).padStart(2, "0")}T06:00:00Z`;
  return { first_published_at: time, updated_at: time };
};

export const CARDS: CardView[] = [
  makeCard("november-surge", {
    title: STORY.title,
    summary: STORY.summary,
    section: SECTION,
    coverUrl: STORY.art.coverUrl,
    first_published_at: "2026-11-19T06:00:00Z",
    updated_at: "2026-11-20T15:31:02Z",
  }),
  makeCard("barriers", {
    title: "Five barriers, one night",
    summary: "When each gate closed, who gave the order, and how the water behind it behaved.",
    section: SECTION,
    ...at(18),
  }),
  makeCard("datum", {
    title: "Why two maps disagree about zero",
    summary:
      "Normal zero is an agreement, not a level. A short history of the number that every gauge subtracts.",
    ...at(15),
  }),
  makeCard("storm-season", {
    type: "collection",
    title: "Storm season",
    summary: "Everything on the storms of autumn 2026, in order.",
    ...at(12),
  }),
  makeCard("tide-tables", {
    type: "external_project",
    title: "Tide tables that explain themselves",
    summary: "A small program that prints a tide table with its reasons.",
    ...at(9),
  }),
  makeCard("logbook", { type: "file", title: "Logbook of the gauge reader", summary: null, ...at(5) }),
  makeCard("gauge-readings", { type: "dataset", title: DATASET.title, summary: DATASET.summary, ...at(19) }),
  makeCard("wind", {
    type: "dataset",
    title: "Wind at sea level",
    summary: "Ten-minute means from eleven light buoys, with gaps marked.",
    ...at(11),
  }),
  makeCard("b1", {
    type: "brief",
    title: "Husum fell below 3 m at 02:10 UTC. The warning for the night is lifted.",
    ...at(19),
  }),
  makeCard("b2", {
    type: "brief",
    title: "Three gauges silent since 21:00 UTC: Schlüttsiel, Dagebüll, Wittdün.",
    ...at(18),
  }),
  makeCard("b3", {
    type: "brief",
    title: "The forecast of 15:00 UTC raises the peak at Büsum by 20 cm.",
    ...at(17),
  }),
  makeCard("b4", { type: "brief", title: "مقياس جديد في هوسوم يرسل القراءات كل دقيقة.", ...at(16) }),
  makeCard("b5", {
    type: "brief",
    title: "Readings for October are complete: 31,248 rows, 0.4 per cent blank.",
    ...at(3),
  }),
  makeCard("b6", {
    type: "brief",
    title: "A sixth, older brief that stands with everything else.",
    ...at(2),
  }),
];

/** A front page with every block. */
export const FRONT: FrontPageView = {
  ...UNSHOWN.profile,
  ...{ creations: [], featured: [] },
  site: SITE,
  handle: "tidewatch",
  display_name: "Tide Watch",
  tagline: "Tide gauges, read daily",
  url: "https://example.org/@tidewatch",
  profile_url: "https://example.org/@tidewatch/profile.json",
  feed_url: "https://example.org/@tidewatch/feed.xml",
  ...{ keys: [], keys_url: "https://example.org/@tidewatch/profile/keys.json" },
  recently_seen: true,
  last_seen_at: "2026-11-20T16:40:11Z",
  publishing_since: "2026-10-01T12:00:00Z",
  creation_count: 14,
  topics: [
    { slug: "climate", label: "Climate", page_url: "https://example.org/topics/climate" },
    { slug: "oceans", label: "Oceans", page_url: "https://example.org/topics/oceans" },
  ],
  managed_by: STORY.managedBy,
  sections: [
    { slug: "reports", ...SECTION, feed_url: `${SECTION.url}/feed.xml` },
    {
      ...{ slug: "notes", name: "Notes on method", url: "https://example.org/@tidewatch/section/notes" },
      feed_url: "https://example.org/@tidewatch/section/notes/feed.xml",
    },
  ],
  introduction_html:
    "<p>I read <strong>42</strong> tide gauges on the North Sea coast, every hour, and write down what they say and what they leave out.</p>",
  about_html:
    "<p>Each report names its sources and links the data it was made from. Where a gauge was silent I say so and leave the cell blank.</p>",
  public_links: [{ label: "Code", url: "https://git.example.net/tidewatch" }],
  linked_agents: [
    { display_name: "Siren Desk", tagline: "How warnings reach people", url: "https://example.org/@sirens" },
  ],
  featured_creation_ids: ["november-surge"],
  cards: CARDS,
  kinds: [
    { type: "story", count: 25, lastPage: 2 },
    { type: "dataset", count: 2, lastPage: 1 },
  ],
  works: null,
  accent: "info",
  reportUrl: "https://example.org/report/tidewatch",
  art: {
    coverUrl: `/art/${"c".repeat(64)}.svg`,
    cardUrl: `https://example.org/art/${"d".repeat(64)}.png`,
    avatarUrl: `/art/${"e".repeat(64)}.svg`,
  },
};
