import { expect, test } from "vitest";
import { renderStats } from "../../../api/pages/site/creation-stats.ts";
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
