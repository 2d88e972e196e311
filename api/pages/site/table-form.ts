import { COLUMNS_A_PAGE, type TableLook } from "../../../shared/datasets/questions/look-at-table.ts";
import type { FieldErrors } from "../../../shared/ground/errors.ts";
import { isGrouped, type Question } from "../../../shared/tables/questions/question.ts";
import { readRawQuestion } from "../../../shared/tables/questions/raw-parameters.ts";
import { toAsked, writeEntry, writeParameters } from "../../../shared/tables/questions/write-question.ts";
import { QUERY_OPS } from "../../../shared/tables/rows/conditions.ts";
import { DEFAULT_LIMIT } from "../../../shared/tables/rows/query.ts";
import { renderOptions } from "../parts/forms.ts";
import { type Html, html } from "../parts/markup.ts";
import { cutName } from "../parts/words.ts";
import type { AskedPage } from "./asked-table.ts";
import { OP_WORDS, type TableLinks } from "./table-links.ts";

const MOST_CONDITIONS = 10;
/** The choices of columns of all conditions together; beyond it one list serves every field. */
const MOST_CHOICE_BYTES = 6_000;
/** What an option takes beside its name, which stands there twice. */
const OPTION_BYTES = 26;
const OPS = QUERY_OPS.filter((op) => op !== "in").map((op) => [op, OP_WORDS[op]] as const);
const MATCHES = [
  ["all", "all conditions hold"],
  ["any", "any condition holds"],
] as const;
const EMPTY: ConditionView = { column: "", op: "eq", value: "", faults: {} };

/** The form that finds rows: words in any cell, the conditions that are asked, and room for one more. */
export function renderTableForm(form: TableFormView): Html {
  const conditions = [...form.conditions, ...(form.conditions.length < MOST_CONDITIONS ? [EMPTY] : [])];
  const bytes = form.columns.reduce((sum, name) => sum + 2 * Buffer.byteLength(name) + OPTION_BYTES, 0);
  const isChoice = bytes * conditions.length <= MOST_CHOICE_BYTES;
  return html`<form class="search ask" method="get" action="${form.action}" role="search" aria-label="Find rows">
${form.hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<fieldset><label for="q">Any cell contains</label>
<input id="q" name="q" type="search" maxlength="200" value="${form.q}" dir="auto"${markFault(form.faults, "q", "q")}>
${renderFault(form.faults, "q", "q")}</fieldset>
${isChoice ? null : renderColumnList(form.columns)}<fieldset><legend>Column, comparison and value</legend>
${conditions.map((condition, at) => renderCondition(condition, at, isChoice ? form.columns : null))}</fieldset>
${form.conditions.length === 0 ? null : renderMatch(form)}
<button>Show rows</button>
${renderOtherFaults(form.faults)}</form>`;
}

function renderMatch({ match }: TableFormView): Html {
  return html`<select name="match" aria-label="How conditions go together">${renderOptions(MATCHES, match)}</select>`;
}

function renderColumnList(columns: string[]): Html {
  return html`<datalist id="columns">${columns.map((name) => html`<option value="${name}">`)}</datalist>`;
}

/** One condition: column, comparison and value; `columns` are the choice, null where a list serves every condition. */
function renderCondition(condition: ConditionView, at: number, columns: string[] | null): Html {
  const { faults, op, value } = condition;
  const [name, id] = [`filter[${at}]`, `filter-${at}`];
  return html`<div role="group" aria-label="Condition ${at + 1}">${renderColumnField(condition, name, id, columns)}
<select name="${name}[op]" aria-label="Comparison"${markFault(faults, "op", id)}>${renderOptions(OPS, op)}</select>
<input name="${name}[value]" aria-label="Value" value="${value}" dir="auto"${markFault(faults, "value", id)}></div>
${Object.keys(faults).map((part) => renderFault(faults, part, id))}`;
}

function renderColumnField(
  { column, faults }: ConditionView,
  name: string,
  id: string,
  columns: string[] | null,
): Html {
  const fault = markFault(faults, "column", id);
  if (columns === null || (column !== "" && !columns.includes(column)))
    return html`<input name="${name}[column]" list="columns" aria-label="Column" value="${column}" dir="auto"${fault}>`;
  return html`<select name="${name}[column]" aria-label="Column"${fault}>${renderOptions(
    columns.map((one) => [one, cutName(one)] as const),
    column,
  )}</select>`;
}

function markFault(faults: FieldErrors, field: string, id: string): Html | null {
  return faults[field] === undefined
    ? null
    : html` aria-invalid="true" aria-describedby="${id}-${field}-fault"`;
}

function renderFault(faults: FieldErrors, field: string, id: string): Html | null {
  const sentences = faults[field];
  return sentences === undefined
    ? null
    : html`<p class="fault" id="${id}-${field}-fault">${sentences.join(" ")}</p>`;
}

/** The faults of what stands in the address alone. */
function renderOtherFaults(faults: FieldErrors): Html | null {
  const others = Object.entries(faults).filter(([field]) => field !== "q");
  if (others.length === 0) return null;
  return html`${others.map(([field, sentences]) => html`<p class="fault"><code>${cutName(field)}</code>: ${sentences.join(" ")}</p>`)}`;
}

/** The columns of a form have names that fit a choice. */
const MOST_NAME_CHARACTERS = 80;
/** The names of the next columns stand in an address. */
const MOST_RANGE_CHARACTERS = 3_000;

/** The form that asks the table; it changes nothing, so it needs no token. */
export type TableFormView = ReturnType<typeof toTableForm>;

/** One condition of the form, as it was sent, with what is wrong with each field. */
interface ConditionView {
  column: string;
  op: string;
  value: string;
  faults: FieldErrors;
}

/** The form of a table's page, filled with what was asked, each fault beside its field. */
export function toTableForm(action: string, page: AskedPage, { question, faults }: TableLook) {
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
    ...rest.flatMap((condition, at) => writeEntry(`filter[${sent.length + 1 + at}]`, toAsked(condition))),
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

/** The columns that the page leaves out. */
export type ColumnRangeView = NonNullable<ReturnType<typeof toColumnRange>>;

/** Which columns are shown of a table that has more, and the addresses of those before and behind them. */
export function toColumnRange({ table }: AskedPage, { asked, linkTo }: TableLinks) {
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
