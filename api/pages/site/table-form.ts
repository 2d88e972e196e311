import type { FieldErrors } from "../../../shared/ground/errors.ts";
import { QUERY_OPS } from "../../../shared/tables/rows/selection.ts";
import { renderOptions } from "../parts/forms.ts";
import { type Html, html } from "../parts/markup.ts";
import { cutName } from "../parts/words.ts";
import type { ConditionView, TableFormView } from "./table-view.ts";
import { OP_WORDS } from "./table-words.ts";

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
