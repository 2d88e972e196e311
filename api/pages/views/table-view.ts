import { lookAtTable, type TableLook } from "../../../shared/datasets/questions/look-at-table.ts";
import type { RenderContext } from "../../../shared/datasets/render-context.ts";
import { presentFile } from "../../../shared/datasets/uploads/present-public-file.ts";
import { addressesOf } from "../../../shared/ground/addresses.ts";
import type { FieldErrors } from "../../../shared/ground/errors.ts";
import { isGrouped, type Question } from "../../../shared/tables/questions/question.ts";
import { writeSnippets } from "../../../shared/text/snippets/write-snippets.ts";
import type { RowsView, TableFrame, TablePageView } from "../site/table-view.ts";
import { showCreationCard } from "./art-views.ts";
import { type AskedPage, addressParquet, nameIfSeveral, showsRows, toOpenFile } from "./asked-table.ts";
import { countMissingAsBlank, isBare } from "./blank-cells.ts";
import { toRevisionFrame } from "./creation-view.ts";
import { toDataFile } from "./data-file.ts";
import { toColumnRange, toTableForm } from "./table-form.ts";
import {
  addressAnswer,
  listChips,
  listFacets,
  listHeads,
  openTableLinks,
  type TableLinks,
} from "./table-links.ts";

/** What every page of a table shows around it. */
export async function toTableFrame(
  { deps }: RenderContext,
  { creation, file }: Pick<AskedPage, "creation" | "file">,
  hasQuestion: boolean,
): Promise<TableFrame> {
  const url = addressesOf(deps.config.siteUrl).tablePage(creation.handle, creation.slug, file.number);
  const frame = toRevisionFrame(deps, creation);
  return {
    ...frame,
    image: await showCreationCard(deps, creation),
    noindex: frame.noindex || hasQuestion,
    canonicalUrl: hasQuestion ? null : url,
    file: presentFile(deps, file.row),
    url,
  };
}

/** The view of a table's page, and the status that its question deserves. */
export async function toTableView(
  context: RenderContext,
  page: AskedPage,
  { hasQuestion, faults }: { hasQuestion: boolean; faults: FieldErrors },
): Promise<{ view: TablePageView; status: 200 | 409 | 422 }> {
  const { deps } = context;
  const { file, table, stats } = page;
  const frame = await toTableFrame(context, page, hasQuestion);
  const base = {
    ...frame,
    columns: table.columns,
    rowCount: table.row_count,
    stats,
    tabs: listTabs(frame.url, page),
    snippets: hasQuestion ? [] : writeSnippets(await toDataFile(deps, page)),
  };
  if (!showsRows(page.creation)) {
    const nothing = { form: null, chips: [], refusal: null, rows: null, range: null };
    return { view: { ...base, ...nothing }, status: 200 };
  }
  const asked = { query: countMissingAsBlank(page), requester: page.requester, faults };
  const look = await lookAtTable(deps, context.threads, toLookedAt(page), asked);
  const links = openTableLinks(frame.url, {
    ...look.question,
    table: table === file.tables[0] ? null : look.question.table,
  });
  const isAsked = Object.keys(look.faults).length === 0;
  const view = {
    ...base,
    form: toTableForm(frame.url, page, look),
    chips: isAsked && !isBare(page) ? listChips(links) : [],
    refusal: look.refusal,
    rows: toRows(context, page, look, links),
    range: isAsked && !isGrouped(look.question) ? toColumnRange(page, links) : null,
  };
  return { view, status: !isAsked ? 422 : look.refusal === null ? 200 : 409 };
}

function toLookedAt(page: AskedPage) {
  const { table, stats } = page;
  return {
    file: toOpenFile(page),
    table: nameIfSeveral(page),
    columns: table.columns.map(({ name }) => name),
    stats: stats?.columns ?? [],
  };
}

const MOST_TABS = 20;

function listTabs(url: string, { file, table }: AskedPage): TablePageView["tabs"] {
  if (file.tables.length < 2) return [];
  return file.tables.slice(0, MOST_TABS).map((one, at) => ({
    words: one.name ?? "",
    url: at === 0 ? url : `?${new URLSearchParams({ table: one.name ?? "" })}`,
    isCurrent: one === table,
  }));
}

function toRows(
  { deps }: RenderContext,
  page: AskedPage,
  { answer }: TableLook,
  links: TableLinks,
): RowsView | null {
  if (answer === null) return null;
  const { asked } = links;
  const types = new Map(page.table.columns.map(({ name, type }) => [name, type]));
  const aggregates = new Set(asked.aggregates.map(({ as }) => as));
  const linkToRow = (row: number) => `?${writeRow(asked, row)}`;
  return {
    heads: listHeads(links, answer, (name) => (aggregates.has(name) ? "number" : (types.get(name) ?? null))),
    rows: answer.rows.map((cells, at) => {
      const number = answer.rowNumbers?.[at] ?? null;
      return { number, url: number === null ? null : linkToRow(number), cells };
    }),
    found: answer.groups ?? (isGrouped(asked) ? answer.rows.length : answer.matched),
    offset: asked.offset,
    total: answer.total,
    isGrouped: isGrouped(asked),
    pageUrl: links.linkTo({}),
    ...addressAnswer(deps.config.siteUrl, page.file.row.asset_id, {
      // All rows are the same rows whatever counts as blank.
      ...(isBare(page) ? { ...asked, blank: [] } : asked),
      table: nameIfSeveral(page),
    }),
    parquetUrl: addressParquet(deps, page),
    facets: listFacets(links, answer.facets),
  };
}

function writeRow({ table }: Question, row: number): URLSearchParams {
  return new URLSearchParams({ ...(table === null ? {} : { table }), row: String(row) });
}
