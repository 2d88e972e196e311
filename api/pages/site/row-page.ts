import type { RenderContext } from "../../../shared/datasets/drawings/render-body.ts";
import { answerTableQuestion } from "../../../shared/datasets/questions/ask-table.ts";
import { readAnswer } from "../../../shared/datasets/questions/look-at-table.ts";
import { addressesOf } from "../../../shared/ground/addresses.ts";
import type { FieldErrors } from "../../../shared/ground/errors.ts";
import { countCodePoints, takeCodePoints } from "../../../shared/ground/text.ts";
import type { Question } from "../../../shared/tables/questions/question.ts";
import { readQuestion } from "../../../shared/tables/questions/read-question.ts";
import { MOST_COLUMNS_A_CALL } from "../../../shared/tables/rows/query.ts";
import { refuseRows } from "../../http/table-export.ts";
import { type Html, html } from "../parts/markup.ts";
import { renderNeighbours } from "../parts/pager.ts";
import { countNoun, cutName, formatNumber } from "../parts/words.ts";
import { type AskedPage, nameIfSeveral, toOpenFile } from "./asked-table.ts";
import { frameTable } from "./table-page.ts";
import { toTableFrame } from "./table-view.ts";

/** The characters of all cells of a row's page together, and what each may have of them in any case. */
const MOST_ROW_CHARACTERS = 200_000;
const LEAST_CELL_CHARACTERS = 2_000;

/** The row that a query names, from 1, or what is wrong with its number; null where it names none. */
export function readRowNumber(
  { table }: AskedPage,
  text: string | null,
): { row: number } | { faults: FieldErrors } | null {
  if (text === null) return null;
  const row = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0;
  return row >= 1 && row <= table.rowCount
    ? { row }
    : { faults: { row: [`Give a row from 1 to ${table.rowCount}.`] } };
}

/** The page of one row: every cell whole, each beside the name of its column. */
export function renderRowPage(view: RowPageView): string {
  const { number, total, cells, columnsLeftOut } = view;
  return frameTable(view, {
    title: `Row ${number} of ${view.file.label}`,
    main: html`<section aria-labelledby="row"><h2 id="row">Row ${formatNumber(number)} of ${formatNumber(total)}${
      view.table === null ? null : html` of <bdi>${cutName(view.table)}</bdi>`
    }</h2>
<dl class="grid whole">${cells.map(renderWholeCell)}</dl>
${columnsLeftOut === 0 ? null : html`<p class="small">${countNoun(columnsLeftOut, "more column")}: name them with columns[].</p>`}
<p class="go"><a href="${view.tableUrl}">The whole table</a></p>
${renderNeighbours(view, { list: "Rows of this table", place: `Row ${formatNumber(number)}`, what: "row" })}</section>`,
  });
}

function renderWholeCell({ name, type, text, wholeUrl }: RowPageView["cells"][number]): Html {
  const value =
    text === null ? html`<span class="small">blank</span>` : html`<span dir="auto">${text}</span>`;
  const whole =
    wholeUrl === null
      ? null
      : html` <a href="${wholeUrl}" type="application/json">The whole cell as JSON</a>`;
  return html`<dt><bdi>${cutName(name)}</bdi>${type === null ? null : html` <small>${type}</small>`}</dt><dd>${value}${whole}</dd>\n`;
}

/** The page of one row, each cell whole. */
export type RowPageView = Awaited<ReturnType<typeof toRowView>>;

/** The view of the page of one row. */
export async function toRowView(context: RenderContext, page: AskedPage, number: number) {
  const { deps, threads } = context;
  const table = nameIfSeveral(page);
  const question = askForRow(page, number);
  const found = await answerTableQuestion(deps, threads, toOpenFile(page), {
    question,
    rowBytes: null,
  });
  if (!found.ok) throw refuseRows(found);
  const { columns, rows, total } = readAnswer(found.json);
  const [cells = []] = rows;
  const types = new Map(page.table.columns.map(({ name, type }) => [name, type]));
  const most = Math.max(LEAST_CELL_CHARACTERS, Math.floor(MOST_ROW_CHARACTERS / columns.length));
  const frame = await toTableFrame(context, page, true);
  const link = (row: number) =>
    `?${new URLSearchParams({ ...(table === null ? {} : { table }), row: String(row) })}`;
  return {
    ...frame,
    number,
    total,
    table,
    cells: columns.map((name, at) => {
      const text = cells[at] ?? null;
      const isCut = text !== null && countCodePoints(text) > most;
      return {
        name,
        type: types.get(name) ?? null,
        text: isCut ? `${takeCodePoints(text, most)}…` : text,
        wholeUrl: isCut ? addressCell(deps.config.siteUrl, page, { number, name }) : null,
      };
    }),
    columnsLeftOut: page.table.columns.length - columns.length,
    tableUrl: table === null ? frame.url : `?${new URLSearchParams({ table })}`,
    previousUrl: number > 1 ? link(number - 1) : null,
    nextUrl: number < total ? link(number + 1) : null,
  };
}

function askForRow(page: AskedPage, number: number): Question {
  const { question } = readQuestion("", "page", 1);
  const { question: sent } = readQuestion(page.query.toString(), "page", 1);
  const known = new Set(page.table.columns.map(({ name }) => name));
  const columns = sent.columns?.filter((name) => known.has(name)).slice(0, MOST_COLUMNS_A_CALL) ?? null;
  return { ...question, table: nameIfSeveral(page), columns, offset: number - 1, limit: 1 };
}

function addressCell(
  site: string,
  page: AskedPage,
  { number, name }: { number: number; name: string },
): string {
  const table = nameIfSeveral(page);
  const query = new URLSearchParams({
    ...(table === null ? {} : { table }),
    "columns[]": name,
    offset: String(number - 1),
    limit: "1",
  });
  return `${addressesOf(site).rows(page.file.row.asset_id)}?${query}`;
}
