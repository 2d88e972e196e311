import { COLUMNS_A_PAGE, type TableLook } from "../../../shared/datasets/questions/look-at-table.ts";
import type { FieldErrors } from "../../../shared/ground/errors.ts";
import { isGrouped, type Question } from "../../../shared/tables/questions/question.ts";
import { readRawQuestion } from "../../../shared/tables/questions/raw-question.ts";
import { writeCondition, writeParameters } from "../../../shared/tables/questions/write-parameters.ts";
import { DEFAULT_LIMIT } from "../../../shared/tables/rows/query.ts";
import type { ColumnRangeView, ConditionView, TableFormView } from "../site/table-view.ts";
import type { AskedPage } from "./asked-table.ts";
import type { TableLinks } from "./table-links.ts";

/** The columns of a form have names that fit a choice. */
const MOST_NAME_CHARACTERS = 80;
/** The names of the next columns stand in an address. */
const MOST_RANGE_CHARACTERS = 3_000;

/** The form of a table's page, filled with what was asked, each fault beside its field. */
export function toTableForm(action: string, page: AskedPage, { question, faults }: TableLook): TableFormView {
  const sent = listSent(page.query);
  const inRows = new Set(sent.map(({ index }) => index));
  const rest = question.filters.filter(({ index }) => !inRows.has(index));
  const told = new Set(sent.flatMap(({ index }) => PARTS.map((part) => `filter.${index}.${part}`)));
  const own = { ...question, table: page.table === page.file.tables[0] ? null : question.table };
  const hidden = [
    ...writeParameters({
      ...own,
      filters: [],
      match: "all",
      q: null,
      facets: [],
      offset: 0,
      limit: DEFAULT_LIMIT,
    }),
    ...rest.flatMap((condition, at) => writeCondition(`filter[${sent.length + 1 + at}]`, condition)),
  ];
  return {
    action,
    q: question.q ?? "",
    match: question.match,
    conditions: sent.map(({ index, ...fields }) => ({ ...fields, faults: faultsOf(faults, index) })),
    columns: listChoices(page, question),
    hidden,
    faults: Object.fromEntries(Object.entries(faults).filter(([field]) => !told.has(field))),
  };
}

const PARTS = ["column", "op", "value"] as const;

/** The conditions that the fields of a form can show, as they were sent; a list of values or a blank one cannot. */
function listSent(query: URLSearchParams): (Omit<ConditionView, "faults"> & { index: number })[] {
  const entries = readRawQuestion(query, {}).entries.get("filter") ?? [];
  return entries.flatMap(({ index, members }) => {
    const [column = "", op = "", value] = PARTS.map((part) => members.get(part));
    const isShown = typeof column === "string" && typeof op === "string" && typeof value === "string";
    return isShown && op !== "in" ? [{ index, column, op, value }] : [];
  });
}

function faultsOf(faults: FieldErrors, index: number): FieldErrors {
  return Object.fromEntries(
    PARTS.flatMap((part) => {
      const found = faults[`filter.${index}.${part}`];
      return found === undefined ? [] : [[part, found]];
    }),
  );
}

/** The columns that are shown, and those that a condition names already. */
function listChoices({ table }: AskedPage, { columns, filters }: Question): string[] {
  const known = new Set(table.columns.map(({ name }) => name));
  const shown = (columns ?? [...known]).slice(0, COLUMNS_A_PAGE);
  const named = [...filters.map(({ column }) => column), ...shown].filter((name) => known.has(name));
  const wanted = new Set(named.filter((name) => name.length <= MOST_NAME_CHARACTERS));
  return [...known].filter((name) => wanted.has(name));
}

/** Which columns are shown of a table that has more, and the addresses of those before and behind them. */
export function toColumnRange({ table }: AskedPage, { asked, linkTo }: TableLinks): ColumnRangeView | null {
  const names = table.columns.map(({ name }) => name);
  const shown = (asked.columns ?? names).slice(0, COLUMNS_A_PAGE);
  if (shown.length >= names.length || isGrouped(asked)) return null;
  const places = shown.map((name) => names.indexOf(name));
  const [first, last] = [Math.min(...places), Math.max(...places)];
  const link = (columns: string[]) => (columns.length === 0 ? null : linkTo({ columns }));
  const before = takeShort(names.slice(Math.max(0, first - COLUMNS_A_PAGE), first).toReversed()).toReversed();
  return {
    shown: shown.length,
    total: names.length,
    previousUrl: link(before),
    nextUrl: link(takeShort(names.slice(last + 1, last + 1 + COLUMNS_A_PAGE))),
  };
}

/** The first names that an address has room for; one that is too long for any is left out. */
function takeShort(names: string[]): string[] {
  let left = MOST_RANGE_CHARACTERS;
  return names.filter((name) => {
    const length = new URLSearchParams({ "&columns[]": name.slice(0, MOST_RANGE_CHARACTERS) }).toString()
      .length;
    if (length > left) return false;
    left -= length;
    return true;
  });
}
