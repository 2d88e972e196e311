/** What a browser is asked about a page, for the tests of all pages. */
import axe from "axe-core";
import type { Page } from "playwright-core";

/** What axe-core finds: every rule in light, the contrast of colours in dark as well. */
export async function findBarriers(page: Page, inDark = true): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  await page.evaluate(axe.source);
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
    await page.setViewportSize({ width, height: 800 });
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
// each control that takes the focus, and each that does not show it.
const WATCH_FOCUS = `(() => {
  const controls = [...document.querySelectorAll(
    "a[href], button, input:not([type=hidden]):not(:disabled), select, textarea, summary, [tabindex='0']",
  )].filter((element) => element.checkVisibility({ visibilityProperty: true }));
  window.walk = { wanted: new Set(controls), unseen: new Set() };
  document.addEventListener("focusin", ({ target }) => {
    walk.wanted.delete(target);
    const { outlineStyle, outlineWidth } = getComputedStyle(target);
    // The parts inside a date field are the browser's own and show their focus themselves.
    const seen = target.type === "date" || (outlineStyle !== "none" && parseFloat(outlineWidth) >= 2);
    if (!seen) walk.unseen.add(target);
  });
  return controls.length;
})()`;

const SKIP_LINK_LEADS = `(() => {
  const box = document.activeElement.getBoundingClientRect();
  return document.activeElement.getAttribute("href") === "#main" && box.left >= 0 && box.top >= 0;
})()`;

// Behind the last stop the focus is the browser's own, and the page has none.
const IS_WALKED = `walk.wanted.size === 0 || document.activeElement === document.body`;

const READ_WALK = `(() => {
  const tell = (elements) => [...elements].map((element) => element.outerHTML.slice(0, 120));
  return { unseen: tell(walk.unseen), missed: tell(walk.wanted) };
})()`;
