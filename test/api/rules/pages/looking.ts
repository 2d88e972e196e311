/** What a browser is asked about a page, for the tests of all pages. */
import { readFileSync } from "node:fs";
import type { Browser, Page, Route } from "playwright-core";

// Every page parses it anew: the source that axe-core exports, with its comments, takes twice as long.
const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** What axe-core finds: every rule in light, the contrast of colours in dark as well. */
export async function findBarriers(page: Page, inDark = true): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  await page.evaluate(AXE);
  const light = await runAxe(page, "");
  if (!inDark) return light;
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await runAxe(page, `runOnly: ["color-contrast"]`);
  await page.emulateMedia({ colorScheme: "light" });
  return [...light, ...dark.map((found) => `dark: ${found}`)];
}

/** Of what passes nothing is told, and of what does not, no selector: on a long page those take most of the time. */
async function runAxe(page: Page, options: string): Promise<string[]> {
  const told = `resultTypes: ["violations", "incomplete"], selectors: false`;
  return await page.evaluate(`axe.run(document, { ${told}, ${options} }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => id + ": " + html.slice(0, 160))))`);
}

/** By how many pixels a page is wider than its window, at each width. */
export async function findOverflow(page: Page, widths: readonly number[]): Promise<string[]> {
  const found: string[] = [];
  for (const width of widths) {
    if (page.viewportSize()?.width !== width) await page.setViewportSize({ width, height: 800 });
    const over: number = await page.evaluate(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    );
    if (over > 0) found.push(`${over} px too wide at ${width}`);
  }
  return found;
}

/** Walks the page with the Tab key: what it does not reach, and where the focus cannot be seen. */
export async function walkByKeyboard(page: Page): Promise<string[]> {
  const wanted: number = await page.evaluate(WATCH_FOCUS);
  await page.keyboard.press("Tab");
  const faults: string[] = (await page.evaluate(SKIP_LINK_LEADS)) ? [] : ["the skip link is not first"];
  // A part that scrolls takes the focus too, so there are more stops than controls.
  for (let step = 1; step < wanted + 50; step++) {
    if (step % STEPS_A_LOOK === 0 && (await page.evaluate(IS_WALKED))) break;
    await page.keyboard.press("Tab");
  }
  const { unseen, missed }: { unseen: string[]; missed: string[] } = await page.evaluate(READ_WALK);
  faults.push(...unseen.map((html) => `focus cannot be seen on ${html}`));
  return [...faults, ...missed.map((html) => `not reached: ${html}`)];
}

const STEPS_A_LOOK = 8;

// Everything that can be seen and worked is wanted; what a closed part hides is reached once that is open. The page notes
// each control that takes the focus, and each that does not show it. Tab stops once in a group of radio buttons, and the
// arrows go on from there.
const WATCH_FOCUS = `(() => {
  const controls = [...document.querySelectorAll(
    "a[href], button, input:not([type=hidden]):not(:disabled), select, textarea, summary, [tabindex='0']",
  )].filter((element) => element.checkVisibility({ visibilityProperty: true }));
  window.walk = { wanted: new Set(controls), unseen: new Set() };
  document.addEventListener("focusin", ({ target }) => {
    const group = target.type === "radio" ? [...target.form.elements[target.name]] : [target];
    for (const control of group) walk.wanted.delete(control);
    const { outlineStyle, outlineWidth } = getComputedStyle(target);
    // The parts inside a date field are the browser's own and show their focus themselves.
    const seen = target.type === "date" || (outlineStyle !== "none" && parseFloat(outlineWidth) >= 2);
    if (!seen) walk.unseen.add(target);
  });
  return controls.length;
})()`;

// A page that is framed begins with its text.
const SKIP_LINK_LEADS = `(() => {
  if (document.querySelector("header.site") === null) return true;
  const box = document.activeElement.getBoundingClientRect();
  return document.activeElement.getAttribute("href") === "#main" && box.left >= 0 && box.top >= 0;
})()`;

// Behind the last stop the focus is the browser's own, and the page has none.
const IS_WALKED = `walk.wanted.size === 0 || document.activeElement === document.body`;

const READ_WALK = `(() => {
  const tell = (elements) => [...elements].map((element) => element.outerHTML.slice(0, 120));
  return { unseen: tell(walk.unseen), missed: tell(walk.wanted) };
})()`;

/** Whether the machine has a font that stands in for the text face until that arrives. */
export async function hasStandIn(page: Page): Promise<boolean> {
  return await page.evaluate(`Promise.any(["G", "T"].map((family) => document.fonts.load("16px " + family)))
    .then(() => true, () => false)`);
}

/**
 * By how much each page shifts on a phone when its fonts arrive after it was painted (Layout Instability API); bare, the
 * fonts that stand in for them have their own widths.
 */
export async function measureShifts(
  browser: Browser,
  urls: readonly string[],
  isBare: boolean,
): Promise<number[]> {
  const context = await browser.newContext({ viewport: { width: 390, height: 800 } });
  const shifts: number[] = [];
  if (isBare) await context.route(/\/style-/, dropStandIns);
  for (const url of urls) {
    const page = await context.newPage();
    const painted = Promise.withResolvers<void>();
    await page.route(/\.woff2$/, async (route) => {
      await painted.promise;
      await route.continue();
    });
    await page.goto(url, { waitUntil: "commit" });
    await page.evaluate(PAINTED);
    painted.resolve();
    shifts.push(await page.evaluate(SHIFT_OF_FONTS));
    await page.close();
  }
  await context.close();
  return shifts;
}

async function dropStandIns(route: Route): Promise<void> {
  const response = await route.fetch();
  const body = (await response.text()).replaceAll(/size-adjust:[^}]*/g, "");
  await route.fulfill({ response, body });
}

const PAINTED = `new Promise((resolve) => {
  new PerformanceObserver(resolve).observe({ type: "largest-contentful-paint", buffered: true });
}).then(() => new Promise((resolve) => document.readyState === "loading"
  ? document.addEventListener("DOMContentLoaded", resolve) : resolve()))`;

const SHIFT_OF_FONTS = `new Promise((resolve) => {
  let shift = 0;
  const note = (entries) => { for (const { value } of entries) shift += value; };
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });
  const drawn = () => requestAnimationFrame(() => requestAnimationFrame(resolved));
  const resolved = () => { note(observer.takeRecords()); resolve(shift); };
  document.fonts.ready.then(() => setTimeout(drawn, 50));
})`;
