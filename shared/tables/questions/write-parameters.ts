import { DEFAULT_LIMIT } from "../rows/query.ts";
import type { Condition } from "../rows/selection.ts";
import { FACET_SIZE, type Question } from "./question.ts";

/** A question as the query of an address that asks it again, without what is left to its default. */
export function writeParameters(question: Question): URLSearchParams {
  const parameters = new URLSearchParams();
  const add = (name: string, value: string | number | null, standard: string | number | null = null) => {
    if (value !== null && value !== standard) parameters.append(name, String(value));
  };
  add("table", question.table);
  addConditions(parameters, "filter", question.filters);
  add("match", question.match, "all");
  add("q", question.q);
  for (const text of question.blank) add("blank[]", text);
  addGroups(parameters, question);
  addConditions(parameters, "having", question.having);
  for (const [at, { column, isDescending }] of question.sort.entries()) {
    add(`sort[${at}][column]`, column);
    add(`sort[${at}][order]`, isDescending ? "desc" : null);
  }
  for (const name of question.columns ?? []) add("columns[]", name);
  for (const name of question.facets) add("facet[]", name);
  add("facet_size", question.facets.length === 0 ? null : question.facetSize, FACET_SIZE);
  add("offset", question.offset, 0);
  add("limit", question.limit === Number.MAX_SAFE_INTEGER ? null : question.limit, DEFAULT_LIMIT);
  return parameters;
}

function addConditions(
  parameters: URLSearchParams,
  list: "filter" | "having",
  conditions: readonly Condition[],
): void {
  for (const [at, condition] of conditions.entries())
    for (const [name, value] of writeCondition(`${list}[${at}]`, condition)) parameters.append(name, value);
}

/** The parameters of one condition; one on blank cells has no value. */
export function writeCondition(place: string, { column, op, value, values }: Condition): [string, string][] {
  const named: [string, string][] = [
    [`${place}[column]`, column],
    [`${place}[op]`, op],
  ];
  if (op === "in") return [...named, ...values.map((one): [string, string] => [`${place}[value][]`, one])];
  return value === null || value === "" ? named : [...named, [`${place}[value]`, value]];
}

function addGroups(parameters: URLSearchParams, { groups, aggregates }: Question): void {
  for (const [at, { column, by, step }] of groups.entries()) {
    parameters.append(`group[${at}][column]`, column);
    if (by !== null) parameters.append(`group[${at}][by]`, by);
    if (step !== null) parameters.append(`group[${at}][step]`, step);
  }
  for (const [at, { op, column, as }] of aggregates.entries()) {
    parameters.append(`aggregate[${at}][op]`, op);
    if (column !== null) parameters.append(`aggregate[${at}][column]`, column);
    parameters.append(`aggregate[${at}][as]`, as);
  }
}
