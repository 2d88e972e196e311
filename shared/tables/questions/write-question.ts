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
import { keepNumberText } from "./raw-question.ts";

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
export function encodeCondition(condition: Condition): string {
  return JSON.stringify(toAsked(condition));
}

/** The members of a condition; one on blank cells has no value. */
export function toAsked({ column, op, value, values }: Condition) {
  const asked = op === "in" ? values : value;
  return { column, op, ...(asked === null ? {} : { value: asked }) };
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
  const parameters = new URLSearchParams(question.blankFrom === "nobody" ? { blank: "none" } : {});
  const members: Record<string, string | (string | Entry)[]> = JSON.parse(
    writeCanonical(question),
    keepNumberText,
  );
  for (const [name, member] of Object.entries(members)) {
    const list = [member].flat();
    const entries = list.filter((one) => typeof one === "object");
    for (const text of list.filter((one) => typeof one === "string"))
      parameters.append(Array.isArray(member) ? `${name}[]` : name, text);
    for (const [at, entry] of entries.entries())
      for (const [key, value] of writeEntry(`${name}[${at}]`, entry)) parameters.append(key, value);
  }
  return parameters;
}

/** An entry of a list, such as a condition: its members as texts. */
type Entry = Readonly<Record<string, string | readonly string[]>>;

/** The parameters of one entry. */
export function writeEntry(place: string, entry: Entry): [string, string][] {
  return Object.entries(entry).flatMap(([member, value]): [string, string][] =>
    typeof value === "string"
      ? [[`${place}[${member}]`, value]]
      : value.map((one) => [`${place}[value][]`, one]),
  );
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
