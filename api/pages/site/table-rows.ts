import { clipText } from "../../../shared/ground/text.ts";
import { PARQUET_TYPE } from "../../../shared/text/metadata/described-work.ts";
import { type Html, html } from "../parts/markup.ts";
import { renderNeighbours } from "../parts/pager.ts";
import { countNoun, cutName, formatNumber } from "../parts/words.ts";
import { markDirection, markFigure } from "./table-cells.ts";
import type { FacetView, HeadView } from "./table-links.ts";
import type { RowsView } from "./table-view.ts";

const ROWS_A_PAGE = 50;

/** How much of the rows the page has room for. */
export interface Detail {
  cellCharacters: number;
  withFacets: boolean;
  withSorting: boolean;
  rows: number;
}

/** The rows that are shown, with headings that sort, and the ways to the next and to the same rows as data. */
export function renderRows(view: RowsView, label: string, detail: Detail): Html {
  const rows = view.rows.slice(0, detail.rows);
  const hasNumbers = rows.some(({ number }) => number !== null);
  return html`<div class="sheet" role="group" tabindex="0" aria-label="Rows of ${label}"><table>
<thead><tr>${hasNumbers ? html`<th scope="col">Row</th>` : null}${view.heads.map((head) => renderHead(head, detail))}</tr></thead>
<tbody>${rows.map((row) => renderRow(row, view.heads, detail))}</tbody>
</table></div>
${rows.length === 0 ? html`<p class="empty">${view.found > 0 ? "The rows end before this place." : "No row meets these conditions."}</p>` : null}
${renderWayOn(view, rows.length)}`;
}

function renderWayOn(view: RowsView, shown: number): Html | null {
  const { found, offset, pageUrl } = view;
  const end = offset + shown;
  const turn = {
    previousUrl: offset > 0 ? addOffset(pageUrl, Math.max(0, Math.min(offset, found) - ROWS_A_PAGE)) : null,
    nextUrl: end < found && shown > 0 ? addOffset(pageUrl, end) : null,
  };
  const place =
    shown === 0
      ? "No rows here"
      : `${formatNumber(offset + 1)} to ${formatNumber(end)} of ${formatNumber(found)}`;
  return renderNeighbours(turn, { list: "Pages of this table", place, what: "rows" });
}

function addOffset(url: string, offset: number): string {
  if (offset === 0) return url;
  return `${url}${url.includes("?") ? "&" : "?"}offset=${offset}`;
}

/** The addresses of the same rows as data. */
export function renderDataLinks(view: RowsView, { withFacets }: Detail): Html {
  const { jsonUrl, csvUrl, parquetUrl, offset, rows, found, isGrouped, facets } = view;
  const json = `${addOffset(jsonUrl, offset)}`;
  const limited = `${json}${json.includes("?") ? "&" : "?"}limit=${ROWS_A_PAGE}`;
  const all = countNoun(found, isGrouped ? "group" : "row");
  return html`<p class="small">The same as data: <a href="${rows.length === 0 ? json : limited}" type="application/json">this page as JSON</a> · <a href="${csvUrl}" type="text/csv">all ${all} as CSV</a>${
    parquetUrl === null
      ? null
      : html` · <a href="${parquetUrl}" type="${PARQUET_TYPE}">the whole table as Parquet</a>`
  }${withFacets && facets.length > 0 ? html` · <a href="#values">Rows by value</a>` : null}</p>`;
}

function renderHead(head: HeadView, { withSorting }: Detail): Html {
  const sorted = head.sorted === null ? null : html` aria-sort="${head.sorted}"`;
  const name = html`<bdi>${cutName(head.name)}</bdi>`;
  const words =
    withSorting && head.url !== null ? html`<a href="${head.url}" rel="nofollow">${name}</a>` : name;
  return html`<th scope="col"${markFigure(head)}${sorted}>${words}${head.type === null ? null : html` <small>${head.type}</small>`}</th>`;
}

// A page has two thousand cells: the end tags that HTML lets out would be a fifth of them.
function renderRow(
  { number, url, cells }: RowsView["rows"][number],
  heads: HeadView[],
  detail: Detail,
): Html {
  const lead = number === null ? null : html`<th scope="row"><a href="${url}" rel="nofollow">${number}</a>`;
  return html`<tr>${lead}${cells.map((cell, at) => renderCell(cell, heads[at] ?? null, detail))}`;
}

function renderCell(cell: string | null, head: HeadView | null, { cellCharacters }: Detail): Html {
  if (cell === null) return html`<td class="blank">`;
  return html`<td${head && markFigure(head)}${markDirection(cell)}>${clipText(cell, cellCharacters)}`;
}

/** The values of some columns over the matching rows, each with the way to its rows. */
export function renderFacets(facets: FacetView[]): Html | null {
  if (facets.length === 0) return null;
  return html`<ul class="people facets" id="values" aria-label="Rows by value">${facets.map(renderFacet)}</ul>`;
}

function renderFacet({ column, values, blanks, more }: FacetView): Html {
  return html`<li><h3>By <bdi>${cutName(column)}</bdi></h3>
<ul>${values.map(({ shown, count, url }) => renderValue(html`<bdi>${shown}</bdi>`, count, url))}${
    blanks === null ? null : renderValue("blank", blanks.count, blanks.url)
  }</ul>${more === null ? null : html`<p class="small"><a href="${more.url}" rel="nofollow">${more.words}</a></p>`}</li>\n`;
}

function renderValue(words: Html | string, count: number, url: string | null): Html {
  const linked = url === null ? words : html`<a href="${url}" rel="nofollow">${words}</a>`;
  return html`<li>${linked} <small>${formatNumber(count)}</small></li>`;
}
