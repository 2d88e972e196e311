import type { AnsweredFacet, ShownAnswer } from "../../../shared/datasets/questions/look-at-table.ts";
import { addressesOf } from "../../../shared/ground/addresses.ts";
import { clipText } from "../../../shared/ground/text.ts";
import type { Column } from "../../../shared/tables/inspection/verdict.ts";
import { isGrouped, MOST_QUESTION_BYTES, type Question } from "../../../shared/tables/questions/question.ts";
import { writeParameters } from "../../../shared/tables/questions/write-question.ts";
import type { Condition, QueryOp } from "../../../shared/tables/rows/conditions.ts";
import { DEFAULT_LIMIT, MOST_VALUE_CHARACTERS } from "../../../shared/tables/rows/query.ts";
import { countNoun, cutName } from "../parts/words.ts";

/** A longer link says more than a page has room for: forty headings have one each. */
const MOST_LINK_CHARACTERS = 1_000;
const VALUE_CHARACTERS = 40;
const FACET_VALUES_WHOLE = 50;

/** Writes the addresses of one table: what is asked now, with a change. They are relative to the page. */
export function openTableLinks(path: string, asked: Question) {
  const plain = { ...asked, offset: 0, limit: DEFAULT_LIMIT };
  const linkTo = (change: Partial<Question>): string => {
    const query = writeParameters({ ...plain, ...change }).toString();
    return query === "" ? path : `?${query}`;
  };
  const linkIfShort = (change: Partial<Question>): string | null => {
    const url = linkTo(change);
    return url.length > MOST_LINK_CHARACTERS ? null : url;
  };
  return { asked, linkTo, linkIfShort };
}

/** A link that changes what is asked of the table. */
export interface ChangeView {
  words: string;
  url: string;
}

export type TableLinks = ReturnType<typeof openTableLinks>;

/** Each condition of a question, with the address of the rows without it. */
export function listChips({ asked, linkTo }: TableLinks): ChangeView[] {
  const { filters, having, groups, aggregates, sort, q, blank, blankOf } = asked;
  const search =
    q === null ? [] : [{ words: `any cell contains “${cutValue(q)}”`, url: linkTo({ q: null }) }];
  const ungrouped = { groups: [], aggregates: [], having: [], sort: [] };
  return [
    ...search,
    ...filters.map((one) => ({ words: describe(one), url: linkTo({ filters: without(filters, one) }) })),
    ...blank.map((text) => ({
      words: `“${cutValue(text)}” counts as blank`,
      url: linkTo({ blank: without(blank, text) }),
    })),
    ...blankOf.map((one) => ({
      words: `${one.values.map((text) => `“${cutValue(text)}”`).join(" or ")} counts as blank in ${cutName(one.column)}`,
      url: linkTo({ blankOf: without(blankOf, one) }),
    })),
    ...(isGrouped(asked) ? [{ words: describeGroups(groups, aggregates), url: linkTo(ungrouped) }] : []),
    ...having.map((one) => ({ words: describe(one), url: linkTo({ having: without(having, one) }) })),
    ...sort.map((one) => ({
      words: `sorted by ${cutName(one.column)}${one.isDescending ? ", last first" : ""}`,
      url: linkTo({ sort: without(sort, one) }),
    })),
  ];
}

function without<Item>(items: readonly Item[], one: Item): Item[] {
  return items.filter((item) => item !== one);
}

function describe({ column, op, value, values }: Condition): string {
  const name = cutName(column);
  if (op === "in") {
    const shown = values.slice(0, 3).map((one) => (one === "" ? "blank" : cutValue(one)));
    const rest = values.length - shown.length;
    return `${name} is ${shown.join(" or ")}${rest > 0 ? ` or one of ${countNoun(rest, "more value")}` : ""}`;
  }
  return `${name} ${OP_WORDS[op]} ${value === null ? "blank" : cutValue(value)}`;
}

function describeGroups(groups: Question["groups"], aggregates: Question["aggregates"]): string {
  const told = aggregates.map(({ as }) => cutName(as)).join(", ");
  if (groups.length === 0) return told;
  const by = groups.map(({ column, by, step }) => {
    const part = by === null ? "" : `${by} of `;
    return `${part}${cutName(column)}${step === null ? "" : ` in steps of ${step}`}`;
  });
  return `${told} by ${by.join(" and ")}`;
}

function cutValue(value: string): string {
  return clipText(value, VALUE_CHARACTERS);
}

/** A column of the rows that are shown; without an address where its name is too long for one. */
export type HeadView = ReturnType<typeof listHeads>[number];

/** Where a click on each heading leads: from the order of the file to rising, to falling, and back. */
export function listHeads(
  links: TableLinks,
  { columns }: ShownAnswer,
  typeOf: (name: string) => Column["type"] | null,
) {
  return columns.map((name) => {
    const key = links.asked.sort.find(({ column }) => column === name);
    const next = { index: 0, column: name, isDescending: key !== undefined };
    return {
      name,
      type: typeOf(name),
      sorted: key === undefined ? null : key.isDescending ? ("descending" as const) : ("ascending" as const),
      url: links.linkIfShort({ sort: key?.isDescending ? [] : [next] }),
    };
  });
}

/** The values of one column over the matching rows; each leads to the rows that have it. */
export type FacetView = ReturnType<typeof listFacets>[number];

/** The values of each facet with the rows that have them. */
export function listFacets({ asked, linkTo, linkIfShort }: TableLinks, facets: AnsweredFacet[]) {
  const narrow = (column: string, more: Partial<Condition>): Partial<Question> => {
    const condition: Condition = { index: 0, column, op: "eq", value: null, values: [], ...more };
    return { filters: [...asked.filters, condition], facets: [] };
  };
  return facets.map(({ column, distinct, blanks, values }) => ({
    column,
    values: values.map(({ shown, text, count }) => ({
      shown: cutValue(shown),
      count,
      url:
        text === null || text.length > MOST_VALUE_CHARACTERS
          ? null
          : linkIfShort(narrow(column, { value: text })),
    })),
    blanks: blanks === 0 ? null : { count: blanks, url: linkTo(narrow(column, {})) },
    more:
      distinct > values.length && values.length < FACET_VALUES_WHOLE
        ? {
            words: countNoun(distinct - values.length, "more value"),
            url: linkTo({ facets: [column], facetSize: FACET_VALUES_WHOLE }),
          }
        : null,
  }));
}

/** The addresses of the same rows as data; that of the JSON goes on with the offset. */
export function addressAnswer(site: string, assetId: string, asked: Question) {
  const query = addressesOf(site).query(assetId);
  const question = { ...asked, facets: [], offset: 0, limit: DEFAULT_LIMIT };
  const whole = writeParameters(question).toString();
  const isLong = question.blankFrom === "dictionary" && whole.length > MOST_QUESTION_BYTES;
  const parameters = isLong ? writeParameters({ ...question, blankOf: [] }).toString() : whole;
  const write = (path: string) => (parameters === "" ? path : `${path}?${parameters}`);
  return { jsonUrl: write(query), csvUrl: write(`${query}/all.csv`) };
}

/** The operators of conditions as readers read them. */
export const OP_WORDS: Readonly<Record<QueryOp, string>> = {
  eq: "is",
  ne: "is not",
  gt: "is above",
  gte: "is at least",
  lt: "is below",
  lte: "is at most",
  contains: "contains",
  in: "is one of",
};
