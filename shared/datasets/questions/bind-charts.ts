import type { NewChart } from "../../../sql/datasets/kept-answers.ts";
import { sha256 } from "../../ground/checksum.ts";
import { stringifyJson } from "../../ground/raw-json.ts";
import type { Deps } from "../../platform/deps.ts";
import { type AnswerJson, countFound, countWanted } from "../../tables/questions/digest-answer.ts";
import { isGrouped, type Question } from "../../tables/questions/question.ts";
import { keepNumberText } from "../../tables/questions/raw-question.ts";
import { writeCanonical } from "../../tables/questions/write-question.ts";
import { type Blanks, listBlanks } from "../../tables/rows/conditions.ts";
import { type ChartProblem, listDrawnFields } from "../../text/markdown/charts/chart.ts";
import { keepLongNumber } from "../../text/markdown/charts/members.ts";
import { checkChart, parseChart } from "../../text/markdown/charts/parse-chart.ts";
import { MOST_ROWS } from "../../text/markdown/charts/read-rows.ts";
import type { KeptRows } from "../../text/markdown/charts/read-source.ts";
import type { DrawingBlock } from "../../text/markdown/drawing-blocks.ts";
import { DRAWINGS_PER_TEXT, nameBlock } from "../../text/markdown/find-problems.ts";
import { mayHoldCharts } from "../drawings/charts.ts";
import {
  type FoundAnswer,
  findKept,
  type KeptBefore,
  NO_FILE,
  type SaveAnswer,
  type SaveQuestion,
  type SourceFault,
} from "./questions-of-save.ts";

/** What a chart block with `data.from` asks. */
export interface ChartQuestion extends SaveQuestion {
  block: DrawingBlock;
  /** What of the block was refused already. */
  known: readonly string[];
  /** The limit as it was given: no more rows are asked for than a chart may have. */
  limit: number;
}

/** The most that the cells of a chart's fields take, as JSON: as much as a text may have. */
const MOST_BYTES = 100_000;

/** What the charts of a text ask of files; those of more blocks than a text may hold are not asked. */
export async function listChartQuestions(deps: Deps, text: string | null): Promise<ChartQuestion[]> {
  if (text === null || !mayAskFiles(text)) return [];
  const { blocks } = await deps.texts.read(text);
  return blocks.slice(0, DRAWINGS_PER_TEXT).flatMap((block) => {
    const { from, problems } = block.kind === "Chart" ? checkChart(block.source) : NO_CHART;
    if (from === null || from.assetId === null) return [];
    const { assetId, question } = from;
    const { limit } = question;
    const known = problems.map(({ message }) => message);
    const asked = { ...question, limit: Math.min(limit, MOST_ROWS) };
    return [{ ...from, assetId, question: asked, block, limit, known }];
  });
}

const NO_CHART = { from: null, problems: [] };

/** Whether some chart may have `data.from`; JSON can spell the name with escapes. */
function mayAskFiles(text: string): boolean {
  return mayHoldCharts(text) && (text.includes("from") || text.includes("\\u"));
}

/** A chart with the rows that its question found, or the sentences that refuse it. */
export function bindChart(asked: ChartQuestion, answer: SaveAnswer): NewChart | string[] {
  const { found, faults } = answer;
  const read = found === null ? null : readChartAnswer(found, asked);
  const bound = read === null ? [] : readRows(asked, read);
  if (!Array.isArray(bound) && faults.length === 0) return bound;
  // Fields that the answer lacks may be columns that it leaves out.
  const columns = read === null ? answer.columns : read.leftOut > 0 ? null : read.kept.columns;
  const missing = findMissingFields(asked, columns);
  const reasons = [...faults.map(describeFault), ...missing, ...(Array.isArray(bound) ? bound : [])];
  return [...new Set(reasons)].map((reason) => `${nameBlock(asked.block)}: ${reason}`);
}

/** The sentence for a chart whose file closed during the save. */
export function refuseClosedChart({ number }: NewChart): string {
  return `Chart ${number}: ${describeFault(NO_FILE)}`;
}

function describeFault({ member, kind, words }: SourceFault): string {
  const name = member === "" ? "data.from" : `data.from.${member}`;
  return `${name} ${kind === "question" ? "is refused: " : ""}${words}`;
}

/** The chart with its rows, or why it has none. */
function readRows(asked: ChartQuestion, found: ChartAnswer): NewChart | string[] {
  const { block, question } = asked;
  if (found.fault !== null) return [found.fault];
  const rows = drawFrom(asked, found.kept);
  if (typeof rows !== "string") return describeProblems(asked, rows, found);
  if (Buffer.byteLength(rows) > MOST_BYTES)
    return [`data.from finds cells of more than ${MOST_BYTES} bytes; group or filter them.`];
  return {
    number: block.number,
    assetId: asked.assetId,
    contentSha256: found.file.read_sha256,
    question: writeCanonical({ ...question, ...found.blanks }),
    rows,
    rowsSha256: sha256(rows),
    rowCount: found.kept.rows.length,
    rowsFound: found.count,
    source: null,
  };
}

/** Why rows cannot be drawn; a field that they lack may be a column that the answer leaves out. */
function describeProblems(
  asked: ChartQuestion,
  problems: readonly ChartProblem[],
  { leftOut, kept }: ChartAnswer,
): string[] {
  const missing = leftOut === 0 ? [] : findMissingFields(asked, kept.columns);
  const messages = problems.map(({ message }) => message).filter((message) => !missing.includes(message));
  if (missing.length === 0) return messages;
  const found = kept.columns.length;
  const named = `data.from finds ${found} of ${found + leftOut} columns: name those that the chart draws in columns.`;
  return [named, ...messages];
}

type ChartAnswer = ReturnType<typeof readChartAnswer>;

/** The encodings of fields that are no columns of the answer, whichever rows that has. */
function findMissingFields(asked: ChartQuestion, columns: readonly string[] | null): string[] {
  if (columns === null) return [];
  const drawn = drawFrom(asked, { format: "json", columns, rows: [columns.map(() => null)] });
  const problems = typeof drawn === "string" ? [] : drawn;
  return problems.flatMap(({ path, message }) => (path.startsWith("encoding.") ? [message] : []));
}

/** The columns that the chart draws of these rows, as JSON, or why they cannot be drawn beside what is known. */
function drawFrom({ block, known }: ChartQuestion, kept: KeptRows): string | ChartProblem[] {
  const parsed = parseChart(block.source, kept);
  if (!parsed.ok) return parsed.problems.filter(({ message }) => !known.includes(message));
  return stringifyJson(narrow(kept, listDrawnFields(parsed.chart)));
}

/** A chart of a file that is closed now, with the rows that the revision before keeps for this question; else null. */
export function keepChart(asked: ChartQuestion, { charts }: KeptBefore): NewChart | null {
  const { block } = asked;
  const kept = findKept(charts, asked);
  if (kept === null) return null;
  const rows = drawFrom(asked, JSON.parse(kept.rows, keepLongNumber) as KeptRows);
  if (typeof rows !== "string") return null;
  return { ...kept, number: block.number, rows, rowsSha256: sha256(rows) };
}

/** A kept chart with the rows that its file answers now; null where it answers too many. */
export function chartAgain(kept: NewChart, found: FoundAnswer, question: Question): NewChart | null {
  const answer = readChartAnswer(found, { question, limit: question.limit });
  if (answer.fault !== null) return null;
  const { columns } = JSON.parse(kept.rows) as KeptRows;
  const rows = stringifyJson(narrow(answer.kept, columns));
  return {
    ...kept,
    question: writeCanonical({ ...question, ...found.blanks }),
    ...{ rows, rowsSha256: sha256(rows) },
    ...{ rowCount: answer.kept.rows.length, rowsFound: answer.count },
  };
}

/** The rows that a question found for a chart, how many there are, and why they are too many. */
export function readChartAnswer(
  { json, file, blanks }: FoundAnswer,
  { question, limit }: Pick<ChartQuestion, "question" | "limit">,
) {
  const text = Buffer.from(json).toString();
  const answer = JSON.parse(text, keepLongNumber) as AnswerJson;
  const { columns } = answer;
  const rows = isGrouped(question) ? answer.rows : leaveOutBlanks(answer, text, blanks);
  const count = countFound(answer, question);
  const wanted = countWanted(answer, question, limit);
  const kept: KeptRows = { format: file.format === "csv" ? "csv" : "json", columns, rows };
  const { columns_left_out: leftOut = 0 } = answer;
  return { kept, count, leftOut, file, blanks, fault: findSizeFault(wanted, rows.length) };
}

/** Rows of the table, which an answer shows as written, without the cells of their columns that count as blank. */
function leaveOutBlanks({ columns, rows }: AnswerJson, text: string, { blankOf }: Blanks): unknown[][] {
  if (!blankOf.some(({ column }) => columns.includes(column))) return rows;
  const missing = columns.map((column) => listBlanks({ blank: [], blankOf }, column));
  // By the digits that the file has.
  const written = JSON.parse(text, keepNumberText) as AnswerJson;
  return rows.map((row, at) =>
    row.map((cell, slot) => (missing[slot]?.includes(written.rows[at]?.[slot] as string) ? null : cell)),
  );
}

function findSizeFault(wanted: number, returned: number): string | null {
  if (wanted > MOST_ROWS)
    return `data.from finds ${wanted} rows; a chart may have ${MOST_ROWS}: group or filter them, or give a limit.`;
  if (returned < wanted)
    return "data.from finds more than fits into one answer; name the columns, or a limit.";
  return null;
}

/** Only the columns that the chart draws. */
function narrow({ format, columns, rows }: KeptRows, fields: readonly string[]): KeptRows {
  const places = columns.flatMap((column, place) => (fields.includes(column) ? [place] : []));
  return {
    format,
    columns: places.map((place) => columns[place] ?? ""),
    rows: rows.map((row) => places.map((place) => row[place] ?? null)),
  };
}
