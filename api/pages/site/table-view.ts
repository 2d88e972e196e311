import type { RenderContext } from "../../../shared/datasets/drawings/render-body.ts";
import { lookAtTable, type TableLook } from "../../../shared/datasets/questions/look-at-table.ts";
import { presentFile } from "../../../shared/datasets/uploads/public-files.ts";
import { addressesOf } from "../../../shared/ground/addresses.ts";
import type { FieldErrors } from "../../../shared/ground/errors.ts";
import type { Column } from "../../../shared/tables/inspection/verdict.ts";
import { isGrouped } from "../../../shared/tables/questions/question.ts";
import type { TableStats } from "../../../shared/tables/statistics/brief-columns.ts";
import type { Snippet } from "../../../shared/text/snippets/data-file.ts";
import { writeSnippets } from "../../../shared/text/snippets/write-snippets.ts";
import { showCreationCard } from "./artwork.ts";
import {
  type AskedPage,
  addressParquet,
  isBare,
  nameIfSeveral,
  showsRows,
  toOpenFile,
} from "./asked-table.ts";
import { toRevisionFrame } from "./revision-frame.ts";
import { type ColumnRangeView, type TableFormView, toColumnRange, toTableForm } from "./table-form.ts";
import {
  addressAnswer,
  type ChangeView,
  listChips,
  listFacets,
  listHeads,
  openTableLinks,
  type TableLinks,
} from "./table-links.ts";
import { toDataFile } from "./table-snippets.ts";

/** What the pages of a table and of one of its rows share. */
export type TableFrame = Awaited<ReturnType<typeof toTableFrame>>;

/** The page of a table. */
export interface TablePageView extends TableFrame {
  tabs: ReturnType<typeof listTabs>;
  columns: Column[];
  rowCount: number;
  stats: TableStats | null;
  /** Null where the author lets the page show columns alone. */
  form: TableFormView | null;
  chips: ChangeView[];
  refusal: string | null;
  rows: RowsView | null;
  range: ColumnRangeView | null;
  /** Ways to use the table; none where a question was asked. */
  snippets: Snippet[];
}

/** The rows that are shown. */
export type RowsView = NonNullable<ReturnType<typeof toRows>>;

/** What every page of a table shows around it. */
export async function toTableFrame(
  { deps }: RenderContext,
  { creation, file }: Pick<AskedPage, "creation" | "file">,
  hasQuestion: boolean,
) {
  const url = addressesOf(deps.config.siteUrl).tablePage(creation.handle, creation.slug, file.number);
  const frame = toRevisionFrame(deps, creation);
  return {
    ...frame,
    image: await showCreationCard(deps, creation),
    noindex: frame.noindex || hasQuestion,
    canonicalUrl: hasQuestion ? null : url,
    file: presentFile(deps, file.row),
    /** The address of the page without a question. */
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
    rowCount: table.rowCount,
    stats,
    tabs: listTabs(frame.url, page),
    snippets: hasQuestion ? [] : writeSnippets(await toDataFile(deps, page)),
  };
  if (!showsRows(page.creation)) {
    const nothing = { form: null, chips: [], refusal: null, rows: null, range: null };
    return { view: { ...base, ...nothing }, status: 200 };
  }
  const asked = { query: page.query, faults };
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
    dictionary: page.file.row.dictionary,
  };
}

const MOST_TABS = 20;

function listTabs(url: string, { file, table }: AskedPage) {
  if (file.tables.length < 2) return [];
  return file.tables.slice(0, MOST_TABS).map((one, at) => ({
    words: one.name ?? "",
    url: at === 0 ? url : `?${new URLSearchParams({ table: one.name ?? "" })}`,
    isCurrent: one === table,
  }));
}

function toRows({ deps }: RenderContext, page: AskedPage, { answer, taken }: TableLook, links: TableLinks) {
  if (answer === null) return null;
  const { asked } = links;
  const types = new Map(page.table.columns.map(({ name, type }) => [name, type]));
  const aggregates = new Set(asked.aggregates.map(({ as }) => as));
  const table: Record<string, string> = asked.table === null ? {} : { table: asked.table };
  const linkToRow = (row: number) => `?${new URLSearchParams({ ...table, row: String(row) })}`;
  return {
    heads: listHeads(links, answer, (name) => (aggregates.has(name) ? "number" : (types.get(name) ?? null))),
    rows: answer.rows.map((cells, at) => {
      const number = answer.rowNumbers?.[at] ?? null;
      return { number, url: number === null ? null : linkToRow(number), cells };
    }),
    /** How many rows, or groups, are found, from which of them on these are shown, and how many rows there are. */
    found: answer.groups ?? (isGrouped(asked) ? answer.rows.length : answer.matched),
    offset: asked.offset,
    total: answer.total,
    isGrouped: isGrouped(asked),
    /** The address of the page and of the JSON as far as the offset. */
    pageUrl: links.linkTo({}),
    ...addressAnswer(deps.config.siteUrl, page.file.row.asset_id, {
      // With what the work calls missing: another work with the file may say something else of it.
      ...(taken.blankFrom === "dictionary" ? taken : asked),
      table: nameIfSeveral(page),
    }),
    /** The whole table as Parquet; null where it has none. */
    parquetUrl: addressParquet(deps, page),
    facets: listFacets(links, answer.facets),
  };
}
