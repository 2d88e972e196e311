import type { OpenFileRow } from "../../../sql/reading/open-files.ts";
import type { FieldErrors } from "../../ground/errors.ts";
import { keepDigits, RawJson, stringifyJson } from "../../ground/raw-json.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Threads } from "../../platform/threads/open.ts";
import type { AnswerJson } from "../../tables/questions/digest-answer.ts";
import { isGrouped, type Question } from "../../tables/questions/question.ts";
import type { ShownColumn } from "../../tables/statistics/brief-columns.ts";
import { answerTableQuestion, findQuestionFaults } from "./ask-table.ts";
import { takeMissing } from "./take-missing.ts";

const ROWS_A_PAGE = 50;
/** The most columns of a table that a page shows. */
export const COLUMNS_A_PAGE = 40;
const FACETS_A_PAGE = 5;
const FACET_VALUES = 8;
const MOST_DIFFERENT = 50;

/** What a page of a table shows: the question as it was asked, and its answer or what is wrong with it. */
export interface TableLook {
  /** With the table that is looked at, and without what the page adds. */
  question: Question;
  /** The same with what counts as blank. */
  taken: Question;
  faults: FieldErrors;
  /** Why the table cannot answer. */
  refusal: string | null;
  answer: (ShownAnswer & { rowNumbers: number[] | null }) | null;
}

/** What the page knows of the table. */
interface LookedAt {
  file: OpenFileRow;
  /** The table where the question names none; null where the file is one table. */
  table: string | null;
  columns: readonly string[];
  stats: readonly ShownColumn[];
  /** What the work says of its columns, as JSON text. */
  dictionary: string | null;
}

/** Answers the question of a page for people: some rows and columns, with the facets that the columns call for. */
export async function lookAtTable(
  deps: Deps,
  threads: Threads,
  { file, table, columns, stats, dictionary }: LookedAt,
  asked: { query: URLSearchParams; faults: FieldErrors },
): Promise<TableLook> {
  const { query } = asked;
  const { question: read, faults: found } = await findQuestionFaults(deps, file, query.toString(), {
    form: "page",
  });
  const faults = { ...found, ...asked.faults };
  const question = { ...read, table: read.table ?? table };
  const taken = takeMissing(question, dictionary);
  const look = { question, taken, faults, refusal: null, answer: null };
  if (Object.keys(faults).length > 0) return look;
  const shown = {
    ...taken,
    limit: Math.min(question.limit, ROWS_A_PAGE),
    ...(isGrouped(question) ? {} : { columns: (question.columns ?? columns).slice(0, COLUMNS_A_PAGE) }),
    ...(question.facets.length > 0 ? {} : { facets: chooseFacets(stats, question), facetSize: FACET_VALUES }),
  };
  const answer = await answerTableQuestion(deps, threads, file, {
    question: shown,
    rowBytes: null,
  });
  if (answer.ok) {
    const rowNumbers = answer.rowNumbers && Array.from(answer.rowNumbers, (row) => row + 1);
    return { ...look, answer: { ...readAnswer(answer.json), rowNumbers } };
  }
  return answer.code === "validation_failed"
    ? { ...look, faults: answer.errors }
    : { ...look, refusal: answer.message };
}

/** Columns of few different values, words before dates and numbers; not those that a condition narrows already. */
function chooseFacets(stats: readonly ShownColumn[], question: Question): string[] {
  if (isGrouped(question)) return [];
  const narrowed = new Set(question.filters.map(({ column }) => column));
  const isFew = ({ distinct, count }: ShownColumn) =>
    distinct !== null && distinct >= 2 && distinct <= MOST_DIFFERENT && distinct < count;
  const isWord = ({ type }: ShownColumn) => type === "text" || type === "boolean";
  const few = stats.filter((column) => isFew(column) && !narrowed.has(column.name));
  return [...few.filter(isWord), ...few.filter((column) => !isWord(column))]
    .slice(0, FACETS_A_PAGE)
    .map(({ name }) => name);
}

/** An answer to a question as pages show it: each cell as a text in the digits of the file, null where it is blank. */
export type ShownAnswer = ReturnType<typeof readAnswer>;

/** What the matching rows hold in one column. */
export type AnsweredFacet = ShownAnswer["facets"][number];

/** The answer as its JSON is parsed, in whose cells each number is as it is written. */
interface ParsedAnswer extends AnswerJson {
  total: number;
  facets: {
    column: string;
    distinct: number;
    blanks: number;
    values: { value: unknown; count: number }[];
  }[];
}

/** Reads the JSON of an answer (`write-page.ts`). */
export function readAnswer(json: Uint8Array) {
  const { columns, rows, matched, groups, total, facets } = JSON.parse(
    Buffer.from(json).toString(),
    keepDigits,
  ) as ParsedAnswer;
  return {
    ...{ columns, matched, groups, total },
    rows: rows.map((row) => row.map(showCell)),
    facets: facets.map(({ column, distinct, blanks, values }) => ({
      ...{ column, distinct, blanks },
      values: values.map(({ value, count }) => ({
        shown: showCell(value) ?? "",
        // No filter names a list or an object.
        text: isNested(value) ? null : showCell(value),
        count,
      })),
    })),
  };
}

function isNested(value: unknown): boolean {
  return typeof value === "object" && value !== null && !(value instanceof RawJson);
}

function showCell(cell: unknown): string | null {
  if (cell === null || cell === "") return null;
  return typeof cell === "string" ? cell : stringifyJson(cell);
}
