import type { Condition } from "../rows/conditions.ts";
import { DEFAULT_LIMIT } from "../rows/query.ts";
import {
  type Aggregate,
  ENTRY_LISTS,
  FACET_SIZE,
  type Group,
  listCodedColumns,
  listDecidingBlanks,
  type Question,
  SINGLE_MEMBERS,
  type SortKey,
  TEXT_LISTS,
} from "./question.ts";

/**
 * The canonical form of a question as JSON text: the same for every way to ask it, without what is left to its default.
 * Asked again, it is the same question. `usualLimit` is the limit of one that names none.
 */
export function writeCanonical(question: Question, usualLimit = DEFAULT_LIMIT): string {
  const { table, match, q, columns, facets, facetSize, offset, limit, sort } = question;
  const members: Record<string, string | null> = {
    table: table === null ? null : JSON.stringify(table),
    filter: writeList(question.filters.map(encodeCondition)),
    match: match === "any" && question.filters.length > 1 ? '"any"' : null,
    q: q === null ? null : JSON.stringify(q),
    blank: writeBlank(question),
    group: writeList(question.groups.map(writeGroup)),
    aggregate: isDefaultCount(question) ? null : writeList(question.aggregates.map(writeAggregate)),
    having: writeList(question.having.map(encodeCondition)),
    sort: writeList(sort.map(writeSort)),
    columns: columns === null ? null : writeTexts(columns),
    facet: writeTexts(facets),
    facet_size: facets.length === 0 || facetSize === FACET_SIZE ? null : String(facetSize),
    offset: offset === 0 ? null : String(offset),
    limit: limit === usualLimit || limit === Number.MAX_SAFE_INTEGER ? null : String(limit),
  };
  const written = Object.entries(members).flatMap(([name, json]) =>
    json === null ? [] : [`${JSON.stringify(name)}:${json}`],
  );
  return `{${written.join(",")}}`;
}

function writeList(items: readonly string[]): string | null {
  return items.length === 0 ? null : `[${items.join(",")}]`;
}

function writeTexts(texts: readonly string[]): string | null {
  return writeList(texts.map((text) => JSON.stringify(text)));
}

/** Also that nothing counts as blank, where it could: a dictionary may say something of the file one day. */
function writeBlank(question: Question): string | null {
  const { blank, blankFrom, q } = question;
  if (blankFrom === "unsaid") return null;
  const ofColumns = listDecidingBlanks(question).map(({ column, values }) => ({ column, values }));
  const items = [...blank, ...ofColumns].map((one) => JSON.stringify(one));
  const isDeciding = q !== null || listCodedColumns(question).size > 0;
  return isDeciding ? `[${items.join(",")}]` : writeList(items);
}

/** A grouped question that names no aggregate counts rows. */
function isDefaultCount({ groups, aggregates }: Question): boolean {
  const [first] = aggregates;
  const isCount = first?.op === "count" && first.column === null && first.as === "count";
  return groups.length > 0 && aggregates.length === 1 && isCount;
}

/** A condition as JSON text, in the words in which it is asked. */
export function encodeCondition({ column, op, value, values }: Condition): string {
  const asked = op === "in" ? values : value;
  return JSON.stringify({ column, op, ...(asked === null ? {} : { value: asked }) });
}

/** Steps of up to so many characters are numbers in JSON; a longer one could lose digits where it is read. */
const NUMBER_CHARACTERS = 15;
const PLAIN_STEP = /^(?:0|[1-9]\d*)(?:\.\d+)?$/;

function writeGroup({ column, by, step }: Group): string {
  const isNumber = step !== null && step.length <= NUMBER_CHARACTERS && PLAIN_STEP.test(step);
  return JSON.stringify({
    column,
    ...(by === null ? {} : { by }),
    ...(step === null ? {} : { step: isNumber ? Number(step) : step }),
  });
}

function writeAggregate({ op, column, as }: Aggregate): string {
  return JSON.stringify({ op, ...(column === null ? {} : { column }), as });
}

function writeSort({ column, isDescending }: SortKey): string {
  return JSON.stringify({ column, ...(isDescending ? { order: "desc" } : {}) });
}

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
  addBlanks(parameters, question);
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

function addBlanks(parameters: URLSearchParams, question: Question): void {
  const { blank, blankFrom } = question;
  if (blankFrom === "nobody") parameters.append("blank", "none");
  for (const text of blank) parameters.append("blank[]", text);
  for (const [at, { column, values }] of listDecidingBlanks(question).entries()) {
    parameters.append(`blank[${at}][column]`, column);
    for (const value of values) parameters.append(`blank[${at}][value][]`, value);
  }
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

const KNOWN = new Set<string>(["question", ...SINGLE_MEMBERS, ...TEXT_LISTS, ...ENTRY_LISTS]);
const FILTER_VALUE = /^filter\[(\d{1,9})\]\[value\]$/;

/**
 * The query of a page for people as a question: without parameters of others, which people's links carry, and without
 * each filter whose field was left empty.
 */
export function readPageQuery(query: string): URLSearchParams {
  const sent = [...new URLSearchParams(query)];
  const empty = sent.flatMap(([name, value]) => {
    const number = value === "" ? FILTER_VALUE.exec(name)?.[1] : undefined;
    return number === undefined ? [] : [`filter[${number}][`];
  });
  const kept = sent.filter(
    ([name]) => KNOWN.has(name.split("[", 1)[0] ?? "") && !empty.some((start) => name.startsWith(start)),
  );
  return new URLSearchParams(kept);
}
