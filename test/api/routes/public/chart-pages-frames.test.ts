import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Frame, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectAgent, type Json, publishNew, type TestAgent } from "../../../support/agent.ts";
import { openBrowsedSite } from "../../../support/browsed-site.ts";
import { fence, HEIGHT, publishChartStory } from "../../../support/chart-story.ts";
import { isBrowserHere } from "../../../support/test-browser.ts";
import { act } from "../../../support/work-acts.ts";

const { service, site, browser } = await openBrowsedSite();

const MOST_BYTES = 40 * 1024;

/** The heaviest kinds of charts: 500 points of three groups, and 200 bars with long names, each with a tip. */
const POINTS = {
  ...HEIGHT,
  mark: "point",
  data: {
    values: Array.from({ length: 500 }, (_, at) => ({
      a: scatter(at),
      b: scatter(at + 500),
      g: `Group ${at % 3}`,
    })),
  },
  encoding: {
    x: { field: "a", type: "quantitative" },
    y: { field: "b", type: "quantitative" },
    color: { field: "g", type: "nominal" },
  },
};
const NAMES = {
  mark: "bar",
  data: {
    values: Array.from({ length: 200 }, (_, at) => ({
      name: Array.from({ length: 60 }, (_, part) => scatter(at * 60 + part).toString(36)).join(" "),
      m: scatter(at),
    })),
  },
  encoding: { x: { field: "name", type: "nominal" }, y: { field: "m", type: "quantitative" } },
};

const readText = async (frame: Frame) => (await frame.locator("body").textContent()) ?? "";

function scatter(at: number): number {
  return ((at * 7_919 + 104_729) * 15_485_863) % 1_000_003;
}

describe.skipIf(!isBrowserHere)("in a real browser", () => {
  let agent: TestAgent;
  let elsewhere: string;
  const sources: string[] = [];
  // The page of another origin, which frames what the test names.
  const host = createServer((_request, response) => {
    const frames = sources.map((src) => `<iframe src="${src}" width="680" height="560"></iframe>`);
    response
      .setHeader("content-type", "text/html")
      .end(`<!doctype html><title>Elsewhere</title>${frames.join("")}`);
  });

  beforeAll(async () => {
    await new Promise<void>((done) => host.listen(0, "127.0.0.1", done));
    elsewhere = `http://127.0.0.1:${(host.address() as AddressInfo).port}/`;
    agent = await connectAgent(service, { handle: "tidewatch" });
    await publishChartStory(agent);
  });
  afterAll(() => {
    host.close();
  });

  const publish = (slug: string, block: object): Promise<Json> =>
    publishNew(agent, { slug, payload: { title: `A chart of ${slug}`, body_markdown: fence(block) } });
  const readFrames = async (page: Page): Promise<string[]> =>
    await Promise.all(
      page
        .frames()
        .slice(1)
        .map((frame) => readText(frame)),
    );

  test("a page of another origin frames three charts; one that is retracted meanwhile says so", async () => {
    const work = await publish("levels", HEIGHT);
    sources.splice(
      0,
      3,
      ...["water/charts/1", "water/charts/2", "levels/charts/1"].map((at) => `${site}/@tidewatch/${at}`),
    );
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    await page.goto(elsewhere, { waitUntil: "networkidle" });
    for (const frame of page.frames().slice(1)) {
      expect(await frame.locator("svg.wide").isVisible()).toBe(true);
      expect(await frame.locator("svg.narrow").isVisible()).toBe(false);
    }
    expect((await readFrames(page)).filter((text) => text.includes("Retracted"))).toEqual([]);
    await act(agent, work, "retract", { reason: "The gauge was broken." });
    await page.reload({ waitUntil: "networkidle" });
    const texts = await readFrames(page);
    expect(texts.map((text) => text.includes("Retracted"))).toEqual([false, false, true]);
    expect(texts[2]).toContain("The gauge was broken.");
    // Every link leaves the frame.
    const opened = page.context().waitForEvent("page");
    await page.frames()[3]?.getByRole("link", { name: "A chart of levels" }).click();
    expect(new URL((await opened).url()).pathname).toBe("/@tidewatch/levels");
    await act(agent, work, "unpublish");
    await page.reload({ waitUntil: "networkidle" });
    expect((await readFrames(page))[2]).toContain("Nothing here");
    expect(complaints.filter((text) => !text.includes("404 (Not Found)"))).toEqual([]);
    await page.context().close();
  });

  test.each([320, 680])("a frame of %s pixels as oEmbed gives it shows the whole page", async (width) => {
    const src = `${site}/@tidewatch/water/charts/1`;
    const asked = await fetch(`${site}/oembed?url=${encodeURIComponent(src)}&maxwidth=${width}`);
    const { height } = (await asked.json()) as { height: number };
    const page = await browser.newPage({ viewport: { width, height } });
    await page.goto(src);
    // The letters of other machines may need a line more.
    const over = "document.documentElement.scrollHeight - innerHeight";
    expect(await page.evaluate<number>(over)).toBeLessThanOrEqual(23);
    expect(await page.evaluate("document.querySelector('main').offsetHeight")).toBeGreaterThan(height - 80);
    const wide = "document.documentElement.scrollWidth - innerWidth";
    expect(await page.evaluate<number>(wide)).toBeLessThanOrEqual(0);
    await page.context().close();
  });

  test("another page of the site stays out of frames", async () => {
    sources.splice(0, 3, `${site}/@tidewatch/water`);
    const page = await browser.newPage();
    await page.goto(elsewhere, { waitUntil: "networkidle" });
    expect((await readFrames(page)).join()).not.toContain("Water");
    await page.context().close();
  });

  test.each([
    ["points", POINTS],
    ["names", NAMES],
    ["height", HEIGHT],
  ])("all that the page of a chart loads is at most 40 KiB: %s", async (slug, block) => {
    await publish(slug, block);
    for (const address of [`${slug}/charts/1`, `${slug}/charts/9`]) {
      const page = await browser.newPage();
      const sizes: Promise<number>[] = [];
      page.on("requestfinished", (asked) => {
        sizes.push(asked.sizes().then((of) => of.responseBodySize + of.responseHeadersSize));
      });
      await page.goto(`${site}/@tidewatch/${address}`, { waitUntil: "networkidle" });
      const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
      expect(bytes).toBeGreaterThan(1_000);
      expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
      await page.context().close();
    }
  });
});
