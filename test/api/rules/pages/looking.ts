/** What a browser is asked about a page, for the tests of all pages. */
import axe from "axe-core";
import type { Page } from "playwright-core";

/** What axe-core finds: every rule in light, the contrast of colours in dark as well. */
export async function findBarriers(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  await page.evaluate(axe.source);
  const light = await runAxe(page, "{}");
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await runAxe(page, `{ runOnly: ["color-contrast"] }`);
  await page.emulateMedia({ colorScheme: "light" });
  return [...light, ...dark.map((found) => `dark: ${found}`)];
}

async function runAxe(page: Page, options: string): Promise<string[]> {
  return await page.evaluate(`axe.run(document, ${options}).then(({ violations }) =>
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
  const wanted: number = await page.evaluate(MARK_CONTROLS);
  await page.keyboard.press("Tab");
  const faults: string[] = (await page.evaluate(SKIP_LINK_LEADS)) ? [] : ["the skip link is not first"];
  // A part that scrolls takes the focus too, so there are more stops than controls.
  for (let step = 0; step < wanted + 50; step++) {
    const { isOver, fault }: { isOver: boolean; fault: string | null } = await page.evaluate(READ_FOCUS);
    if (fault !== null) faults.push(fault);
    if (isOver) break;
    await page.keyboard.press("Tab");
  }
  const missed: string[] = await page.evaluate(LIST_MISSED);
  return [...faults, ...missed.map((html) => `not reached: ${html}`)];
}

// Everything that can be seen and worked; what a closed part hides is reached once that is open.
const MARK_CONTROLS = `(() => {
  const controls = [...document.querySelectorAll(
    "a[href], button, input:not([type=hidden]):not(:disabled), select, textarea, summary, [tabindex='0']",
  )].filter((element) => element.checkVisibility({ visibilityProperty: true }));
  for (const control of controls) control.dataset.wanted = "";
  return controls.length;
})()`;

const SKIP_LINK_LEADS = `(() => {
  const box = document.activeElement.getBoundingClientRect();
  return document.activeElement.getAttribute("href") === "#main" && box.left >= 0 && box.top >= 0;
})()`;

const READ_FOCUS = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return { isOver: true, fault: null };
  delete element.dataset.wanted;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  // The parts inside a date field are the browser's own and show their focus themselves.
  const seen = element.type === "date" || (outlineStyle !== "none" && parseFloat(outlineWidth) >= 2);
  const fault = seen ? null : "focus cannot be seen on " + element.outerHTML.slice(0, 120);
  return { isOver: document.querySelector("[data-wanted]") === null, fault };
})()`;

const LIST_MISSED = `[...document.querySelectorAll("[data-wanted]")].map((element) => element.outerHTML.slice(0, 120))`;
