import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import type { CardView } from "../../../api/pages/site/cards.ts";
import { renderFrontPage } from "../../../api/pages/site/front-page.ts";
import { renderHomePage } from "../../../api/pages/site/home-page.ts";
import { STYLESHEET } from "../../../shared/text/stylesheets.ts";
import { openPage } from "../../support/browser.ts";
import { some } from "../../support/depth.ts";
import { isBrowserHere, openTestBrowser } from "../../support/test-browser.ts";
import { FRONT, makeCard } from "./front-samples.ts";

const browser = await openTestBrowser();

const COVER = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 4 1'></svg>";
const TITLES = ["The surge that came two hours early", "Five barriers, one night", "Two maps, one zero"];
const SUMMARY = "What 42 gauges recorded in the night from the 19th to the 20th, hour by hour.";
const BRIEF = "Three gauges silent since 21:00 UTC: Schlüttsiel, Dagebüll, Wittdün.";
const WIDTHS = [1024, 1280];
/** A page has its edges at thirds of the sheet or at halves of it, in twelfths; the briefs may halve their half. */
const GRIDS = [
  [0, 4, 8],
  [0, 6, 9],
];

interface Top {
  lead: "covered" | "plain" | "data";
  followers: number;
  briefs: number;
}

/** Every top of a front page with one to seven followers and briefs, and those where data or briefs alone lead. */
const TOPS: Top[] = (["covered", "plain", "data"] as const).flatMap((lead) =>
  (lead === "data" ? [0] : [0, 1, 2]).flatMap((followers) =>
    [0, 1, 2, 3, 4, 5].map((briefs) => ({ lead, followers, briefs })),
  ),
);

describe.skipIf(!isBrowserHere)("the top of a front page", () => {
  let page: Page;

  beforeAll(async () => {
    ({ page } = await openPage(browser, "about:", 1280));
  });

  test("has every left edge and every divider on one grid", async () => {
    const off: string[] = [];
    for (const top of some(TOPS, 5)) {
      await page.setContent(writePage(top));
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        const found = await measure(page);
        const name = `${JSON.stringify(top)} at ${width}`;
        if (!GRIDS.some((grid) => isOnGrid(found, grid))) off.push(`${name}: ${JSON.stringify(found)}`);
        if (found.tops.some((y) => Math.abs(y - (found.tops[0] ?? 0)) > 1)) off.push(`${name}: uneven tops`);
      }
    }
    expect(off).toEqual([]);
  });

  test("has the columns of the agents and topics below it", async () => {
    const topics = TITLES.concat(TITLES).map((label) => ({ label, description: SUMMARY, url: "/topics/x" }));
    const image = { url: COVER, alt: "" };
    const home = { site: FRONT.site, tagline: "News", image, cards: [], agents: [], topics };
    await page.setContent(withStyles(renderHomePage(home)));
    await page.setViewportSize({ width: 1280, height: 800 });
    const columns: number[] = await page.evaluate(`[...document.querySelectorAll(".people li")].map((li) =>
      (li.getBoundingClientRect().left - li.parentElement.getBoundingClientRect().left) / (1216 + 48) * 12)`);
    const expected = [0, 3, 6, 9, 0, 3];
    for (const [at, column] of columns.entries()) expect(column).toBeCloseTo(expected[at] ?? -1, 1);
    expect(columns).toHaveLength(expected.length);
  });

  test("has no hole beside an odd brief", async () => {
    for (const briefs of [1, 2, 5]) {
      for (const lead of ["plain", "none"]) {
        const cards = writeCards({ lead: "plain", followers: 0, briefs }).slice(lead === "none" ? 1 : 0);
        await page.setContent(writeCardsPage(cards));
        for (const width of [800, 1280]) {
          await page.setViewportSize({ width, height: 800 });
          expect([briefs, lead, width, await measureRows(page)]).toEqual([briefs, lead, width, []]);
        }
      }
    }
  });
});

function writeCards({ lead, followers, briefs }: Top): CardView[] {
  const coverUrl = lead === "covered" ? COVER : null;
  const type = lead === "data" ? "dataset" : "story";
  return [
    ...TITLES.slice(0, followers + 1).map((title, at) =>
      makeCard(`s${at}`, { type, title, summary: at === 2 ? null : SUMMARY, coverUrl }),
    ),
    ...Array.from({ length: briefs }, (_, at) => makeCard(`b${at}`, { type: "brief", title: BRIEF })),
  ];
}

function writePage(top: Top): string {
  return writeCardsPage(writeCards(top));
}

function writeCardsPage(cards: CardView[]): string {
  return withStyles(renderFrontPage({ ...FRONT, cards, featured_creation_ids: ["s0", "s1", "s2"] }));
}

/** Nothing is fetched: the sheet stands in the page. */
function withStyles(html: string): string {
  return html.replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${STYLESHEET.css}</style>`);
}

interface Measured {
  width: number;
  gap: number;
  /** From the left edge of the sheet, in px. */
  edges: number[];
  dividers: number[];
  /** The tops of the first headings in the lead's row. */
  tops: number[];
}

/** Whether each edge begins a column of this grid, and each divider stands in the middle of the gap before one. */
function isOnGrid({ width, gap, edges, dividers }: Measured, grid: readonly number[]): boolean {
  const starts = grid.map((twelfth) => ((width + gap) * twelfth) / 12);
  const near = (x: number, places: number[]) => places.some((place) => Math.abs(place - x) <= 1);
  return (
    edges.every((x) => near(x, starts)) &&
    dividers.every((x) =>
      near(
        x,
        starts.map((start) => start - gap / 2),
      ),
    )
  );
}

async function measure(page: Page): Promise<Measured> {
  return await page.evaluate(`(() => {
    const front = document.querySelector(".front");
    const left = front.getBoundingClientRect().left;
    const all = (selector) => [...front.querySelectorAll(selector)];
    const rect = (element) => element.getBoundingClientRect();
    const lead = front.querySelector(".lead .label, .block h2");
    const besides = all(".briefs:not(:only-child) h2").filter((h2) => Math.abs(rect(h2).top - rect(lead).top) < 60);
    return {
      width: rect(front).width,
      gap: parseFloat(getComputedStyle(front).columnGap),
      edges: all(".cover, .label, h2, .card p, .briefs li > p, .rows h3").map((one) => rect(one).left - left),
      dividers: all(".card, .briefs")
        .filter((one) => getComputedStyle(one).borderInlineStartStyle !== "none")
        .map((one) => rect(one).left - left),
      tops: [lead, ...besides].map((one) => rect(one).top),
    };
  })()`);
}

/** The rows of briefs that do not reach from one side of their block to the other. */
async function measureRows(page: Page): Promise<string[]> {
  return await page.evaluate(`(() => {
    const list = document.querySelector(".briefs ul").getBoundingClientRect();
    const rows = Map.groupBy([...document.querySelectorAll(".briefs li")].map((li) => li.getBoundingClientRect()), ({ top }) => Math.round(top));
    const ends = [...rows.values()].map((row) => [Math.min(...row.map((one) => one.left)), Math.max(...row.map((one) => one.right))]);
    return ends.filter(([from, to]) => Math.abs(from - list.left) > 1 || Math.abs(to - list.right) > 1).map(String);
  })()`);
}
