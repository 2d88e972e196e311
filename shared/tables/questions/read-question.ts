import type { FieldErrors } from "../../ground/errors.ts";
import { askWhetherMeant } from "../../ground/nearest-name.ts";
import { takeCodePoints } from "../../ground/text.ts";
import { MATCHES } from "../rows/conditions.ts";
import { MORE_PARAMETERS, MOST_COLUMNS_A_CALL, readBom, readLimit, readOffset } from "../rows/query.ts";
import {
  FACET_SIZE,
  isGrouped,
  listResultColumns,
  MOST,
  MOST_BLANK_CHARACTERS,
  MOST_FACET_SIZE,
  MOST_QUESTION_BYTES,
  MOST_SEARCH_CHARACTERS,
  type Question,
} from "./question.ts";
import { readRawQuestion } from "./raw-parameters.ts";
import { type RawQuestion, readQuestionMembers, startRaw } from "./raw-question.ts";
import { readAggregates, readColumnBlanks, readConditions, readGroups, readSort } from "./read-entries.ts";

/** How an answer goes out: one page, or everything as text. */
export type QueryForm = "page" | "csv" | "ndjson";

/** A question that was read. With errors it is what could be read, and must not be run. */
export interface ReadQuestion {
  question: Question;
  errors: FieldErrors;
}

/** Reads a question from the query of an address as it was sent, and tells every fault at once. */
export function readQuestion(
  query: string,
  form: QueryForm,
  rowsPerCall: number,
  mostBytes = MOST_QUESTION_BYTES,
): ReadQuestion {
  const errors: FieldErrors = {};
  if (Buffer.byteLength(query) > mostBytes) {
    errors.question = [`The query of the address may have ${mostBytes} bytes. Ask for less at once.`];
    return { question: toQuestion(startRaw(), { form, rowsPerCall }, {}), errors };
  }
  const parameters = new URLSearchParams(query);
  const raw = readRawQuestion(parameters, errors, MORE_PARAMETERS[form]);
  readBom(parameters.get("bom"), form, errors);
  const question = toQuestion(raw, { form, rowsPerCall }, errors);
  checkTogether(question, raw, form, errors);
  return { question, errors };
}

/**
 * Reads a question from the members of an object, whose numbers are texts; without a `limit` it asks for every row, and
 * it has no facets.
 */
export function readQuestionObject(members: object): ReadQuestion {
  const errors: FieldErrors = {};
  const raw = readQuestionMembers(members, errors);
  const question = toQuestion(raw, { form: "page", rowsPerCall: Number.MAX_SAFE_INTEGER }, errors);
  checkTogether(question, raw, "page", errors);
  return {
    question: raw.singles.has("limit") ? question : { ...question, limit: Number.MAX_SAFE_INTEGER },
    errors,
  };
}

function toQuestion(
  raw: RawQuestion,
  { form, rowsPerCall }: { form: QueryForm; rowsPerCall: number },
  errors: FieldErrors,
): Question {
  const single = (name: string): string | null => raw.singles.get(name) ?? null;
  const isPage = form === "page";
  const most = isPage ? rowsPerCall : Number.MAX_SAFE_INTEGER;
  const groups = readGroups(raw.entries.get("group"), errors);
  return {
    table: single("table"),
    filters: readConditions("filter", raw.entries.get("filter"), errors),
    match: readMatch(single("match"), errors),
    q: readSearch(single("q"), errors),
    ...readBlanks(raw, errors),
    groups,
    aggregates: readAggregates(raw.entries.get("aggregate"), groups.length > 0, errors),
    having: readConditions("having", raw.entries.get("having"), errors),
    sort: readSort(raw.entries.get("sort"), errors),
    columns: readColumns(raw, errors),
    facets: readList(raw, "facet", errors, { most: MOST.facet, what: "columns" }),
    facetSize: readFacetSize(single("facet_size"), errors),
    offset: readOffset(single("offset"), errors),
    limit: single("limit") === null && !isPage ? most : readLimit(single("limit"), most, errors),
  };
}

function readBlanks(raw: RawQuestion, errors: FieldErrors) {
  const blank = readList(raw, "blank", errors, { most: MOST.blank, what: "texts" });
  const blankOf = readColumnBlanks(raw.entries.get("blank"), errors);
  const isSaid = raw.texts.has("blank") || raw.entries.has("blank");
  const saidBy = blank.length + blankOf.length > 0 ? "question" : "nobody";
  return { blank, blankOf, blankFrom: isSaid ? saidBy : "unsaid" } as const;
}

function readMatch(text: string | null, errors: FieldErrors): Question["match"] {
  if (text === null) return "all";
  const match = MATCHES.find((one) => one === text);
  if (match === undefined) errors.match = [`Use all or any.${askWhetherMeant(text, MATCHES)}`];
  return match ?? "all";
}

function readSearch(text: string | null, errors: FieldErrors): string | null {
  if (text === null || text === "") return null;
  if (takeCodePoints(text, MOST_SEARCH_CHARACTERS) !== text)
    errors.q = [`Give a q of at most ${MOST_SEARCH_CHARACTERS} characters.`];
  return text;
}

function readList(
  { texts }: RawQuestion,
  name: string,
  errors: FieldErrors,
  { most, what }: { most: number; what: string },
): string[] {
  const list = texts.get(name) ?? [];
  if (list.length > most) errors[name] ??= [`Name at most ${most} ${what}.`];
  const read = list.slice(0, most);
  for (const [index, text] of read.entries()) {
    if (read.indexOf(text) < index) errors[`${name}.${index}`] ??= ["This is named twice. Name it once."];
    if (name === "blank" && takeCodePoints(text, MOST_BLANK_CHARACTERS) !== text)
      errors[`blank.${index}`] ??= [`Give a text of at most ${MOST_BLANK_CHARACTERS} characters.`];
  }
  return read;
}

function readColumns(raw: RawQuestion, errors: FieldErrors): string[] | null {
  const columns = readList(raw, "columns", errors, { most: MOST_COLUMNS_A_CALL, what: "columns" });
  return columns.length === 0 ? null : columns;
}

function readFacetSize(text: string | null, errors: FieldErrors): number {
  if (text === null) return FACET_SIZE;
  if (/^\d+$/.test(text) && !/^0+$/.test(text)) return Math.min(Number(text), MOST_FACET_SIZE);
  errors.facet_size = [`The facet_size must be a whole number from 1 to ${MOST_FACET_SIZE}.`];
  return FACET_SIZE;
}

/** The faults of members that do not go together. */
function checkTogether(question: Question, raw: RawQuestion, form: QueryForm, errors: FieldErrors): void {
  const isWithGroups = isGrouped(question) || raw.entries.has("group") || raw.entries.has("aggregate");
  if (question.columns !== null && isWithGroups)
    errors.columns ??= ["A grouped result has the columns of group and aggregate. Leave columns out."];
  if (raw.entries.has("having") && !isWithGroups)
    errors.having ??= ["Only a grouped result takes having. Use filter, or name a group."];
  if (form !== "page" && question.facets.length > 0)
    errors.facet ??= ["An export has no facets. Ask for them at query."];
  checkResultNames(question, errors);
}

/** Two columns of a result may not have the same name. */
function checkResultNames(question: Question, errors: FieldErrors): void {
  const names = listResultColumns(question);
  const first = question.groups.length;
  for (const [place, { index }] of question.aggregates.entries()) {
    const name = names[first + place] as string;
    if (name !== "" && names.indexOf(name) < first + place)
      errors[`aggregate.${index}.as`] ??= ["Another column of the result has this name. Give another as."];
  }
}
