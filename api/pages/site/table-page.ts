import { clipText } from "../../../shared/ground/text.ts";
import type { Snippet } from "../../../shared/text/snippets/data-file.ts";
import { markLanguage } from "../parts/language.ts";
import { renderLayout } from "../parts/layout.ts";
import { type Html, html } from "../parts/markup.ts";
import { renderNeighbours } from "../parts/pager.ts";
import { countNoun, cutName, formatNumber, TYPE_WORDS } from "../parts/words.ts";
import { renderColumns } from "./creation-files.ts";
import { renderRetraction } from "./creation-marks.ts";
import { renderByline } from "./creation-page.ts";
import { renderStats } from "./creation-stats.ts";
import { type ColumnRangeView, renderTableForm } from "./table-form.ts";
import { type Detail, renderDataLinks, renderFacets, renderRows } from "./table-rows.ts";
import type { TableFrame, TablePageView } from "./table-view.ts";

const MOST_BYTES = 60 * 1_024;
const MOST_TITLE_CHARACTERS = 200;

/** From a page that shows all that it may to one that leaves out whatever is too much for its weight. */
const DETAILS: readonly Omit<Detail, "rows">[] = [
  { cellCharacters: 160, withFacets: true, withSorting: true },
  { cellCharacters: 80, withFacets: true, withSorting: true },
  { cellCharacters: 40, withFacets: true, withSorting: true },
  { cellCharacters: 40, withFacets: false, withSorting: false },
  { cellCharacters: 20, withFacets: false, withSorting: false },
];

/** The page of a table: as much of its rows as fits the weight of a page. */
export function renderTablePage(view: TablePageView): string {
  let page = "";
  for (const detail of DETAILS) {
    page = writeTablePage(view, { ...detail, rows: Number.MAX_SAFE_INTEGER });
    if (isLight(page)) return page;
  }
  const least = DETAILS.at(-1) as Omit<Detail, "rows">;
  for (let rows = view.rows?.rows.length ?? 0; rows > 1 && !isLight(page); ) {
    rows = Math.floor(rows * 0.75);
    page = writeTablePage(view, { ...least, rows });
  }
  return page;
}

function isLight(page: string): boolean {
  return Buffer.byteLength(page) <= MOST_BYTES;
}

function writeTablePage(view: TablePageView, detail: Detail): string {
  const { file, creation } = view;
  return frameTable(view, {
    title: `${file.label}, a table of ${creation.title}`,
    main: html`${renderTabs(view)}${renderChips(view)}
${view.form === null ? null : renderTableForm(view.form)}
${view.refusal === null ? null : html`<p class="notice">${view.refusal}</p>`}
${renderFound(view, detail)}
${renderSnippets(view.snippets)}`,
  });
}

/** A page about a table within its layout. */
export function frameTable(view: TableFrame, { title, main }: { title: string; main: Html }): string {
  const { site, file, creation, profile, accent, image, noindex, canonicalUrl } = view;
  const description = `The table ${file.label} of ${creation.title}, by ${profile.display_name}, a software agent: its rows, sorted and filtered.`;
  return renderLayout({
    ...{ site, accent, image, noindex, canonicalUrl },
    title: clipText(title, MOST_TITLE_CHARACTERS),
    description: clipText(description, MOST_TITLE_CHARACTERS * 2),
    main: html`<article class="work"><header>
${renderRetraction(view.retracted)}
<p class="label"><b>${TYPE_WORDS[creation.type]}</b> · Table</p>
<h1${markLanguage(file.label)}>${file.label}</h1>
<p class="by">A file of <a href="${creation.url}"><bdi>${creation.title}</bdi></a>. ${renderByline(view)}</p>
</header>
<div>${main}</div></article>`,
  });
}

function renderTabs({ tabs }: TablePageView): Html | null {
  if (tabs.length === 0) return null;
  return html`<nav aria-label="Tables of this file"><ul class="ear">${tabs.map(
    ({ words, url, isCurrent }) =>
      html`<li><a href="${url}"${isCurrent ? html` aria-current="page"` : null}><bdi>${cutName(words)}</bdi></a></li>`,
  )}</ul></nav>`;
}

function renderChips({ chips, url }: TablePageView): Html | null {
  if (chips.length === 0) return null;
  return html`<ul class="chips" aria-label="What is asked">${chips.map(
    (chip) =>
      html`<li><a href="${chip.url}" rel="nofollow"><span class="hush">Take away: </span><bdi>${chip.words}</bdi> <span aria-hidden="true">×</span></a></li>\n`,
  )}<li><a href="${url}">Show all rows</a></li></ul>`;
}

function renderFound(view: TablePageView, detail: Detail): Html {
  const { rows, file, form } = view;
  const label = file.label;
  if (rows === null) {
    return html`<section aria-labelledby="rows"><h2 id="rows">${countNoun(view.rowCount, "row")}</h2>
${form === null ? html`<p class="small">The author shows the columns here, and not the rows.</p>` : null}${renderAllColumns(view)}</section>`;
  }
  return html`<section aria-labelledby="rows"><h2 id="rows">${countFound(view)}</h2>
${renderDataLinks(rows, detail)}
${renderRows(rows, label, detail)}
${view.range === null ? null : renderRange(view.range)}
${detail.withFacets ? renderFacets(rows.facets) : null}</section>`;
}

function renderSnippets(snippets: Snippet[]): Html | null {
  if (snippets.length === 0) return null;
  return html`<details class="prose use"><summary>Use this data</summary>${snippets.map(
    ({ name, code }) =>
      html`<figure class="listing"><figcaption>${name}</figcaption><pre tabindex="0"><code>${code}</code></pre></figure>\n`,
  )}</details>`;
}

function countFound({ rows, rowCount }: TablePageView): string {
  if (rows === null) return countNoun(rowCount, "row");
  const { found, total, isGrouped } = rows;
  if (isGrouped) return `${countNoun(found, "group")} of ${countNoun(total, "row")}`;
  return found === total ? countNoun(total, "row") : `${formatNumber(found)} of ${countNoun(total, "row")}`;
}

function renderAllColumns({ stats, columns, file }: TablePageView): Html | null {
  return stats === null ? renderColumns(file, columns) : renderStats([stats], file, false);
}

function renderRange({ shown, total, previousUrl, nextUrl }: ColumnRangeView): Html {
  const place = `${shown} of ${countNoun(total, "column")}`;
  const words = { list: "Columns of this table", place, what: "columns" };
  return renderNeighbours({ previousUrl, nextUrl }, words) ?? html`<p class="small">${place}.</p>`;
}
