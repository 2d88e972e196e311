import { DEFAULT_LIMIT } from "../rows/query.ts";
import type { Condition } from "../rows/selection.ts";
import { type Aggregate, FACET_SIZE, type Group, type Question, type SortKey } from "./question.ts";

/**
 * The canonical form of a question as JSON text: the same for every way to ask it, without what is left to its default.
 * Asked again, it is the same question.
 */
export function writeCanonical(question: Question): string {
  const { table, match, q, blank, columns, facets, facetSize, offset, limit, sort } = question;
  const members: Record<string, string | null> = {
    table: table === null ? null : JSON.stringify(table),
    filter: writeList(question.filters.map(writeCondition)),
    match: match === "any" && question.filters.length > 1 ? '"any"' : null,
    q: q === null ? null : JSON.stringify(q),
    blank: writeTexts(blank),
    group: writeList(question.groups.map(writeGroup)),
    aggregate: isDefaultCount(question) ? null : writeList(question.aggregates.map(writeAggregate)),
    having: writeList(question.having.map(writeCondition)),
    sort: writeList(sort.map(writeSort)),
    columns: columns === null ? null : writeTexts(columns),
    facet: writeTexts(facets),
    facet_size: facets.length === 0 || facetSize === FACET_SIZE ? null : String(facetSize),
    offset: offset === 0 ? null : String(offset),
    limit: limit === DEFAULT_LIMIT || limit === Number.MAX_SAFE_INTEGER ? null : String(limit),
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

/** A grouped question that names no aggregate counts rows. */
function isDefaultCount({ groups, aggregates }: Question): boolean {
  const [first] = aggregates;
  const isCount = first?.op === "count" && first.column === null && first.as === "count";
  return groups.length > 0 && aggregates.length === 1 && isCount;
}

function writeCondition({ column, op, value, values }: Condition): string {
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
