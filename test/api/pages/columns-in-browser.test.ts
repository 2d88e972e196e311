import { expect, test } from "vitest";
import { renderStats } from "../../../api/pages/site/creation-stats.ts";
import { parseMarkdown } from "../../../shared/text/markdown/parse.ts";
import { renderMarkdown } from "../../../shared/text/markdown/render.ts";
import { STYLESHEET } from "../../../shared/text/stylesheets.ts";
import { openPage } from "../../support/browser.ts";
import { isBrowserHere, openTestBrowser } from "../../support/test-browser.ts";
import { DATASET } from "./samples.ts";

/** Words of the head and figures at the end that stand on two lines, and whether a part of the table is outside. */
const LOOK = `({
  broken: [...document.querySelectorAll("thead th, tbody td:last-child")].map((cell) => cell.firstChild)
    .filter((text) => {
      const range = document.createRange();
      if (text) range.selectNodeContents(text);
      return range.getClientRects().length > 1;
    }).map((text) => text.textContent),
  outside: (({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector(".sheet")),
})`;

test.skipIf(!isBrowserHere)(
  "the table of columns fits 1,100 px, and breaks no word and no mean",
  async () => {
    const [table] = DATASET.files[0]?.stats ?? [];
    if (table === undefined) throw new Error("there is no sample");
    const { page } = await openPage(await openTestBrowser(), "about:", 1_100);
    const long = {
      name: "a_rather_long_column_name",
      mean: 22210100,
      max: "44320704.25",
      min: "-44320704.25",
    };
    const columns = table.columns.map((column) =>
      column.quartiles === null ? column : { ...column, ...long },
    );
    const stats = renderStats([{ ...table, columns }], { label: "Readings", dictionary: null }, true);
    await page.setContent(`<style>${STYLESHEET.css}</style><main>${stats}</main>`);
    expect(await page.evaluate(LOOK)).toEqual({ broken: [], outside: false });
  },
  30_000,
);

const FROM_RIGHT = `| תחנה | ערך |
| --- | --- |
| חיפה | -1.5 |

\`-1.75\`

\`\`\`
-2.5
\`\`\`
`;

const OF_CHART = '<table><tbody><tr><td>חיפה</td><td class="fg">-1.25</td></tr></tbody></table>';

/** The numbers below zero, and whether the sign of each stands left of it. */
const SIGNS = `[...document.querySelectorAll("td, code")].filter((one) => /^-\\d/.test(one.textContent)).map((one) => {
  const text = document.createTreeWalker(one, NodeFilter.SHOW_TEXT).nextNode();
  const [sign, digit] = [0, 1].map((at) => {
    const range = document.createRange();
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    return range.getBoundingClientRect().left;
  });
  return [text.data.trim(), sign < digit];
})`;

test.skipIf(!isBrowserHere)(
  "a number in a table or in code has its sign before it in a text that runs from the right",
  async () => {
    const { page } = await openPage(await openTestBrowser(), "about:", 1_100);
    const prose = renderMarkdown(parseMarkdown(FROM_RIGHT));
    await page.setContent(
      `<style>${STYLESHEET.css}</style><div class="prose" dir="rtl" lang="he">${prose}${OF_CHART}</div>`,
    );
    expect(await page.evaluate(SIGNS)).toEqual(
      ["-1.5", "-1.75", "-2.5", "-1.25"].map((number) => [number, true]),
    );
  },
  30_000,
);

test.skipIf(!isBrowserHere).each([
  ["ltr", "left"],
  ["rtl", "right"],
])(
  "headings and cells of a table that runs %s begin at its %s, in whatever script they are",
  async (dir, side) => {
    const { page } = await openPage(await openTestBrowser(), "about:", 1_100);
    const prose = renderMarkdown(parseMarkdown("| Station | ערך |\n| --- | --- |\n| חיפה | Husum |\n"));
    await page.setContent(`<style>${STYLESHEET.css}</style><div class="prose" dir="${dir}">${prose}</div>`);
    const sides = `[...document.querySelectorAll("th, td")].map((cell) => getComputedStyle(cell).textAlign)`;
    expect(await page.evaluate(sides)).toEqual(Array(4).fill(side));
  },
  30_000,
);
