import type { Page, Response } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { clearBanner, setBanner } from "../../../../shared/care/administration/banner.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { openBrowsedSite } from "../../../support/browsed-site.ts";
import { openPage } from "../../../support/browser.ts";
import { isBrowserHere } from "../../../support/test-browser.ts";
import { findBarriers, findOverflow, hasStandIn, measureShifts, walkByKeyboard } from "./looking.ts";
import { fillPages, listCases, type PageCase, pathOf, watchRoutes } from "./page-cases.ts";

const routes = watchRoutes();
const { service, site, browser } = await openBrowsedSite({ config: { signUp: "invite" } });
routes.stop();

const WALKED_WIDTH = 1280;
/** The first is the one that the window has already: each other one lays the page out again. */
const WIDTHS = [WALKED_WIDTH, 320, 768, 1600];
const PAGE_BYTES = 60 * 1024;
const TRANSFERRED_BYTES = 100 * 1024;

describe.skipIf(!isBrowserHere)("every page of the app", () => {
  let reader: Page;
  let owner: Page;
  let filled: Awaited<ReturnType<typeof fillPages>>;
  let cases: PageCase[];
  let complaints: string[][];

  beforeAll(async () => {
    filled = await fillPages(service);
    cases = listCases(routes.pages, filled);
    const opened = await Promise.all([
      openPage(browser, site, WALKED_WIDTH),
      openPage(browser, site, WALKED_WIDTH),
    ]);
    [reader, owner] = opened.map(({ page }) => page) as [Page, Page];
    await owner.goto(filled.signInUrl);
    await owner.getByRole("button", { name: "Sign in" }).click();
    await owner.waitForURL(`${site}/console`);
    complaints = opened.map((one) => one.complaints);
  });

  test("has a case, and no case is without its route", () => {
    expect(cases.length).toBeGreaterThan(45);
    expect(() => listCases(["/a-page-nobody-knows"], filled)).toThrow(
      "no page case for /a-page-nobody-knows",
    );
  });

  test("is without barriers, reached by keyboard, and fits every width", { timeout: 300_000 }, async () => {
    const found: Record<string, string[]> = {};
    for (const one of cases) {
      const page = one.signedIn ? owner : reader;
      await page.setViewportSize({ width: WALKED_WIDTH, height: 800 });
      const answer = await page.goto(`${site}${one.path}`);
      const faults = [...checkAnswer(one, answer), ...(await lookAt(page, !one.isLikeAnother))];
      if (faults.length > 0) found[one.path] = faults;
    }
    expect(found).toEqual({});
    expect(complaints.flat()).toEqual([]);
  });

  test("has a banner without barriers, which fits every width", async () => {
    const { deps } = service;
    const text = `We move on 1 December: see ${"https://status.example.org/".repeat(4)}`;
    await setBanner(deps, COMMAND_LINE, { text, audience: "everyone", untilMs: null });
    await deps.banner.refresh(deps);
    for (const [page, path] of [
      [reader, "/"],
      [reader, pathOf(filled.site, "demo")],
      [owner, "/console"],
    ] as const) {
      await page.setViewportSize({ width: WALKED_WIDTH, height: 800 });
      await page.goto(`${site}${path}`);
      expect(await page.getByRole("complementary", { name: "Notice" }).textContent()).toBe(text);
      expect([path, await findBarriers(page), await findOverflow(page, WIDTHS)]).toEqual([path, [], []]);
    }
    await clearBanner(deps, COMMAND_LINE);
    await deps.banner.refresh(deps);
  });

  test("is looked at with eyes that see: a page with each fault shows it", async () => {
    const { page } = await openPage(browser, site, WALKED_WIDTH);
    await page.setContent(`<!doctype html><html lang="en"><title>A page</title><body>
      <style>input:focus { outline: 3px solid } a:focus { outline: none }</style>
      <main id="main"><h1>A page</h1><a href="#main">Skip</a><input aria-label="Name">
      <button tabindex="-1">Never reached</button><p style="color:#bbb;background:#fff">Pale</p>
      <img src="data:,"><div style="width:2000px">Wide</div></main>`);
    const walked = await walkByKeyboard(page);
    expect(walked).toEqual([
      expect.stringMatching(/^focus cannot be seen on <a href/),
      expect.stringMatching(/^not reached: <button/),
    ]);
    const barriers = (await findBarriers(page)).map((found) => found.split(": <")[0]);
    expect(barriers).toEqual(expect.arrayContaining(["color-contrast", "image-alt", "dark: color-contrast"]));
    expect(await findOverflow(page, [1280])).toEqual([expect.stringMatching(/^\d+ px too wide at 1280$/)]);
    await page.context().close();
  });

  test("tables of data take the width of the page, statistics are not cut, and cells stand apart", async () => {
    const { page } = await openPage(browser, site, WALKED_WIDTH);
    for (const name of ["dataset", "document"]) {
      await page.goto(`${site}${pathOf(filled.site, name)}`);
      const cut = `[...document.querySelectorAll(".stats")].map((one) => [
        one.scrollWidth - one.clientWidth, one.scrollHeight - one.clientHeight])`;
      const found: number[][] = await page.evaluate(cut);
      expect([name, found]).toEqual([name, found.map(() => [0, 0])]);
      const idle: number[] = await page.evaluate(`[...document.querySelectorAll(".sheet")].map((one) => {
        const [frame, table] = [one, one.firstElementChild].map((part) => part.getBoundingClientRect().right);
        return Math.round(one.parentElement.getBoundingClientRect().right - Math.min(frame, table));
      })`);
      expect([name, idle]).toEqual([name, idle.map(() => 0)]);
      // Of what a cell holds, whichever way it runs, the edge on the side of its heading.
      const apart: string[] =
        await page.evaluate(`[...document.querySelectorAll(".sheet table")].flatMap((table) =>
        [...table.querySelectorAll("tbody tr")].flatMap((row) => [...row.cells].filter((cell) => {
          const [own, head] = [cell, table.tHead.rows[0].cells[cell.cellIndex]].map((one) => {
            const range = document.createRange();
            range.selectNodeContents(one);
            return range.getBoundingClientRect();
          });
          const side = cell.classList.contains("fg") ? "right" : "left";
          return own.width > 0 && Math.abs(own[side] - head[side]) > 1;
        }).map((cell) => cell.innerText)))`);
      expect([name, apart]).toEqual([name, []]);
      // Between what is written in two cells of a row, whichever way it runs.
      const least: number =
        await page.evaluate(`Math.min(...[...document.querySelectorAll(".sheet:not(.stats) tr")]
        .flatMap((row) => [...row.cells].map((cell) => {
          const range = document.createRange();
          range.selectNodeContents(cell);
          return range.getBoundingClientRect();
        }).filter(({ width }) => width > 0).map(({ left }, at, all) => at === 0 ? 99 : left - all[at - 1].right)))`);
      expect([name, least >= 24]).toEqual([name, true]);
    }
    await page.context().close();
  });

  test("a brief has its facts on one line below it", async () => {
    const { page } = await openPage(browser, site, WALKED_WIDTH);
    await page.goto(`${site}${pathOf(filled.site, "brief0")}`);
    // A machine whose own face is wider than usual puts the last of them below.
    await page.evaluate('document.querySelector(".facts").style.fontFamily = "Arial,Liberation Sans"');
    const topsOf = (selector: string): Promise<number[]> =>
      page.evaluate(
        `[...document.querySelectorAll("${selector}")].map((one) => one.getBoundingClientRect().top)`,
      );
    const [flash = 0] = await topsOf(".flash + section");
    const facts = await topsOf(".facts > dl > div:not(:has(.hash))");
    expect([facts.length, new Set(facts).size]).toEqual([4, 1]);
    expect(facts[0]).toBeGreaterThan(flash);
    await page.context().close();
  });

  test("one click selects the text of a code block, and nothing beside it", async () => {
    const { page } = await openPage(browser, site, WALKED_WIDTH);
    await page.goto(`${site}/docs/getting-started`);
    const answer = page.locator("figure.answer code").first();
    await answer.click();
    const selected: string = await page.evaluate("String(getSelection())");
    expect(selected.trim()).toBe((await answer.textContent())?.trim());
    await page.context().close();
  });

  test("the demonstration's story is light: HTML, stylesheet, three fonts and cover, and nothing more", async () => {
    const { page } = await openPage(browser, site, WALKED_WIDTH);
    const sizes: Promise<number>[] = [];
    page.on("requestfinished", (made) => {
      const weigh = async () => {
        const { responseBodySize, responseHeadersSize } = await made.sizes();
        return responseBodySize + responseHeadersSize;
      };
      if (!made.url().startsWith("data:")) sizes.push(weigh());
    });
    const answer = await page.goto(`${site}${pathOf(filled.site, "demo")}`, { waitUntil: "networkidle" });
    expect((await answer?.request().sizes())?.responseBodySize).toBeLessThan(PAGE_BYTES);
    expect(await page.locator("figure svg").count()).toBeGreaterThanOrEqual(2);
    const words: string = await page.evaluate(`document.querySelector(".prose").innerText`);
    expect(words.split(/\s+/).length).toBeGreaterThan(900);
    const bytes = (await Promise.all(sizes)).reduce((sum, one) => sum + one, 0);
    expect(sizes.length).toBe(6);
    expect(bytes).toBeLessThan(TRANSFERRED_BYTES);
    await page.context().close();
  });

  test("no line moves when the text face arrives, and it would if nothing as wide stood in for it", async () => {
    if (!(await hasStandIn(reader))) return console.warn("LEFT OUT: neither Georgia nor Times is here.");
    const paths = ["/@rainwatch", pathOf(filled.site, "demo")];
    const read = (isBare: boolean) =>
      measureShifts(
        browser,
        paths.map((path) => `${site}${path}`),
        isBare,
      );
    expect(Math.max(...(await read(false)))).toBeLessThan(0.01);
    expect(Math.max(...(await read(true)))).toBeGreaterThan(0.015);
  });
});

function checkAnswer({ route, path }: PageCase, answer: Response | null): string[] {
  const isRefused = route === "(none)" || path.endsWith("/used");
  const status = answer?.status() ?? 0;
  const isPage = answer?.headers()["content-type"]?.startsWith("text/html") === true;
  return [
    ...(isPage ? [] : ["it is no page"]),
    ...(status === (isRefused ? 404 : 200) ? [] : [`it answers ${status}`]),
  ];
}

/** Any page is looked at in every width, one that is examined in light colours too, a close one in dark and by keyboard. */
async function lookAt(page: Page, isClose: boolean): Promise<string[]> {
  const walked = isClose ? await walkByKeyboard(page) : [];
  const barriers = isClose ? await findBarriers(page, true) : [];
  return [...walked, ...barriers, ...(await findOverflow(page, WIDTHS))];
}
