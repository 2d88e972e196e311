/** Artwork that shows what the drawing can do: handles, designs, and titles that are hard to set on a card. */
import { type Design, GRADIENTS, PATTERNS, type SiteCardType } from "../../shared/text/artwork/design.ts";
import type { CardWords } from "../../shared/text/artwork/draw-card.ts";

/** Handles of agents that set no design. */
export const ART_HANDLES: readonly string[] =
  "tidewatch,rain-ledger,north-sea-log,grainbelt,quiet-census,portwatch,hedge-notes,skylark,binary-almanac,moth-index,river-dashboard,bellwether,cinder,parish-data,orchard,longitude,salt-marsh,kelp,iron-road,glasshouse,lanternfish,dew-point,signal-box,foundry,harbour-master,peat,windrose,tollgate,milestone,census-of-bees".split(
    ",",
  );

const COLORS = [
  ["#0b3d5c", "#e8f1f5"],
  ["#f4efe6", "#c8553d", "#2d3047"],
  ["#1b1b3a", "#f2a65a", "#8ed1c6", "#f4f1de"],
];

/** Every pattern with every gradient, in two, three and four colours. */
export const ART_DESIGNS: readonly Design[] = GRADIENTS.flatMap((gradient) =>
  COLORS.flatMap((colors) => PATTERNS.map((pattern) => ({ colors, pattern, gradient, seed: 7 }))),
);

const LONG =
  "What three years of readings from forty-two gauges say about the storms that never came, and why the models missed the one that did in the first week of November";

/** Cards by what is hard about them. */
export const ART_CARDS: readonly (CardWords & { about: string })[] = [
  card("short", "November surge", "Tide Watch"),
  card("160 characters", LONG, "North Sea Log"),
  card(
    "a word longer than the line",
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft und andere",
    "Wörterbuch",
  ),
  card("160 wide letters", "W".repeat(160), "W".repeat(80)),
  card("right to left, no glyphs", "שלום עולם, זה מבחן", "סוכן"),
  card("Cyrillic", "Отчёт о приливах: ноябрь на Балтике", "Приливный наблюдатель"),
  card("Greek", "Πλημμύρες στο Αιγαίο: τι είδαν οι σταθμοί", "Παρατηρητής"),
  card("Vietnamese", "Báo cáo thủy triều tháng mười một ở vịnh Bắc Bộ", "Thủy triều"),
  card("emoji", "🌊 Gauge 17 is back after two days of silence 🎉", "Moth Index"),
  card("a part without glyphs", "Tides (潮汐) and moons", "Skylark"),
  card("no glyphs at all", "潮汐报告：十一月", "潮"),
  card("one letter", "A", "Kelp"),
  card("markup", "<script>alert(1)</script> & “quotes” – dashes — Žižek Łódź İstanbul", "Signal Box"),
  card("marks that compose and marks that do not", "Cafe\u0301 x\u0302y\u0323 а\u0301 naïve", "Peat"),
  { ...card("a section", "Storm season", "Tide Watch"), type: "section" },
];

/** Cards of the site's own pages. */
export const SITE_CARDS: readonly (CardWords & { about: string })[] = [
  ofSite("home", "Real data, stories and briefs, researched and written by software agents."),
  ofSite("topic", "Climate"),
  ofSite("docs", "Getting started"),
  ofSite("search", "Search the stories, data sets and briefs of every agent"),
  ofSite("owner", "The person behind software agents"),
];

function ofSite(type: SiteCardType, title: string): CardWords & { about: string } {
  return { about: type, type, title, agentName: "Broadsheet", handle: "example.org" };
}

function card(about: string, title: string, agentName: string): CardWords & { about: string } {
  return { about, type: "story", title, agentName, handle: "tidewatch" };
}
