import { findJsonFault, sayPlace } from "../../../ground/json-syntax.ts";
import { joinWords } from "../../../ground/text.ts";
import {
  type Chart,
  type ChartProblem,
  type ChartRow,
  isFilled,
  isStacked,
  lacksValue,
  MARKS,
  type Mark,
} from "./chart.ts";
import { checkScales } from "./check-scales.ts";
import {
  createProblemList,
  isObject,
  type JsonObject,
  keepLongNumber,
  memberOf,
  type ProblemList,
  readChoice,
  readObject,
  readText,
  showValue,
} from "./members.ts";
import { readAnnotations } from "./read-annotations.ts";
import { type FieldReadings, readFields, settleFields } from "./read-fields.ts";
import { NO_LABELS, type RowsReading, readRows } from "./read-rows.ts";
import { type ChartSource, type KeptRows, readSource, toValues } from "./read-source.ts";
import { sortNames } from "./sort-names.ts";

/** A chart, or every problem of its block together. */
type ChartParse = { ok: true; chart: Chart } | { ok: false; problems: ChartProblem[] };

const MEMBERS = ["mark", "title", "description", "data", "encoding", "annotations"];
// Models add these by habit; they say nothing that the drawing needs.
const IGNORED = ["$schema", "width", "height"];
const TITLE_CHARACTERS = 120;
const DESCRIPTION_CHARACTERS = 500;

/**
 * Reads the text of a `chart` block (specification, "Charts and diagrams inside Markdown text"); throws nothing.
 * Whatever it accepts can be drawn. `kept` holds the rows of a block with `data.from`.
 */
export function parseChart(source: string, kept: KeptRows | null = null): ChartParse {
  const { chart, problems, from } = readSourceText(source, kept);
  if (problems.length > 0 || chart === null) return { ok: false, problems };
  return from !== null && kept === null ? { ok: false, problems: [NO_ROWS] } : { ok: true, chart };
}

const NO_ROWS: ChartProblem = { path: "data.from", message: "data.from has no rows yet." };

/**
 * Checks a block as far as it can be without the rows of `data.from`, and tells where those come from: null for a block
 * that holds them.
 */
export function checkChart(source: string): { problems: ChartProblem[]; from: ChartSource | null } {
  const { problems, from } = readSourceText(source, null);
  return { problems, from };
}

function readSourceText(source: string, kept: KeptRows | null) {
  const json = readBlockJson(source);
  if (!json.ok) return { chart: null, problems: [json.problem], from: null };
  const isBound = hasSource(json.value);
  const problems = createProblemList(isBound ? "data.from" : "data.values");
  const needed = ["mark", "data", "encoding"];
  const block = readObject(json.value, "", MEMBERS, { ignored: IGNORED, needed, problems });
  const from = isBound ? readSource(source, problems) : null;
  const chart = block === null ? null : readChart(block, problems, { isBound, from, kept });
  return { chart, problems: problems.finish(), from };
}

function hasSource(value: unknown): boolean {
  const data = isObject(value) ? memberOf(value, "data") : undefined;
  return isObject(data) && memberOf(data, "from") !== undefined;
}

/** Whether a block has `data.from`, what that says, and the rows that it found. */
interface Binding {
  isBound: boolean;
  from: ChartSource | null;
  kept: KeptRows | null;
}

function readChart(block: JsonObject, problems: ProblemList, binding: Binding): Chart | null {
  const mark = readMark(memberOf(block, "mark"), problems);
  const title = readText(memberOf(block, "title"), "title", { limit: TITLE_CHARACTERS, problems });
  const description = readText(memberOf(block, "description"), "description", {
    limit: DESCRIPTION_CHARACTERS,
    problems,
  });
  const data = readObject(memberOf(block, "data"), "data", ["values", "from"], { problems });
  const fields = readFields(memberOf(block, "encoding"), mark, problems);
  if (data === null) return null;
  const reading = readData(data, fields, problems, binding);
  const annotations = readAnnotations(memberOf(block, "annotations"), { ...fields, ...reading }, problems);
  const settled = settleFields(fields);
  if (mark === null || settled === null) return null;
  const { x } = settled;
  const { rows, ...labels } = reading;
  const drawn = rows.map(({ number: _, ...row }) => row);
  const grain = x.type === "temporal" ? labels.grain : "day";
  const chart: Chart = { mark, title, description, ...settled, ...labels, annotations, rows: drawn, grain };
  checkRows(chart, rows, problems);
  return sortNames(chart, problems);
}

function readData(
  data: JsonObject,
  fields: FieldReadings,
  problems: ProblemList,
  { isBound, from, kept }: Binding,
): RowsReading {
  if (!isBound) return readRows(memberOf(data, "values"), fields, problems);
  if (memberOf(data, "values") !== undefined)
    problems.add(
      "data.from",
      "stands beside data.values; a chart has its rows from one of them: leave one out.",
    );
  if (from === null || kept === null) return NO_READING;
  const numbers = [fields.x, fields.y, fields.y2, fields.line].filter(
    (field) => field?.type === "quantitative",
  );
  const numberFields = new Set(numbers.map((field) => field?.field ?? null));
  return readRows(toValues(kept, from.question.blank, numberFields), fields, problems);
}

const NO_READING: RowsReading = { rows: [], ...NO_LABELS };

function readMark(value: unknown, problems: ProblemList): Mark | null {
  const type = isObject(value) ? memberOf(value, "type") : undefined;
  const meant = MARKS.find((mark) => mark === type);
  if (!isObject(value)) return readChoice(value, "mark", MARKS, problems);
  const mend = meant === undefined ? `${joinWords(MARKS, "or")} in double quotes` : `"mark": "${meant}"`;
  problems.add("mark", `must be a text, got ${showValue(value)}; write ${mend}.`);
  return meant ?? null;
}

/** The value of a block's text, or the reason why it is no JSON. */
type JsonReading = { ok: true; value: unknown } | { ok: false; problem: ChartProblem };

/**
 * Reads a block as JSON: at most 64 levels deep, no NUL and no half surrogate pair in any text; of a repeated name
 * the last value counts. The problem names line and column within the block, both from 1, columns in code points.
 */
function readBlockJson(source: string): JsonReading {
  if (!source.isWellFormed())
    return refuse("The block holds half of a surrogate pair; send well-formed Unicode.");
  const fault = findJsonFault(source);
  if (fault === null) return { ok: true, value: JSON.parse(source, keepLongNumber) };
  return refuse(`It is not JSON at ${sayPlace(source, fault.at)} of the block: ${fault.reason}.`);
}

function refuse(message: string): JsonReading {
  return { ok: false, problem: { path: "", message } };
}

type NumberedRow = ChartRow & { number: number };

const MOST_GROUPS = 8;
/** Of points and bands, which lie over each other. */
const MOST_OVERLAID_GROUPS = 3;
const MOST_FACETS = 24;
const MOST_HORIZONTAL_BARS = 60;

/**
 * Notes the problems between rows: too many groups, nothing to draw, a value that its scale cannot show, a repeated x,
 * a negative value in a stack.
 */
function checkRows(chart: Chart, rows: readonly NumberedRow[], problems: ProblemList): void {
  const { mark, y2, groups, facets, categories, horizontal } = chart;
  const limit = (channel: string, count: number, most: number, reason: string) => {
    if (count > most) problems.add(`encoding.${channel}`, `gives ${count} ${reason}`);
  };
  const kind = y2 === null ? mark : "band";
  const most = kind === "point" || kind === "band" ? MOST_OVERLAID_GROUPS : MOST_GROUPS;
  const together = "Put the smallest together as one";
  limit("color", groups.length, most, `groups; a ${kind} chart may have ${most}. ${together}.`);
  const leaving = "Leave some out, or put the smallest together";
  limit("facet", facets.length, MOST_FACETS, `small charts; there may be ${MOST_FACETS}. ${leaving}.`);
  if (horizontal) {
    const names = `names; horizontal bars may have ${MOST_HORIZONTAL_BARS}`;
    limit("y", categories.length, MOST_HORIZONTAL_BARS, `${names}. ${together}, or leave some out.`);
  }
  refuseNothing(chart, rows, problems);
  checkScales(
    chart,
    rows.map(({ number }) => number),
    problems,
  );
  if (isFilled(chart)) requireUnique(chart, rows, problems);
  if (chart.mark === "area" && isStacked(chart)) refuseNegatives(chart, rows, problems);
}

/** Notes a chart that has nothing to draw. */
function refuseNothing(chart: Chart, rows: readonly NumberedRow[], problems: ProblemList): void {
  if (rows.length === 0) return;
  const channels = (["y", "y2", "line"] as const).filter((name) => chart[name] !== null);
  const empty = channels.filter((name) => rows.every((row) => row[name] === null));
  for (const name of empty) {
    const { channel, field } = chart[name] ?? chart.y;
    problems.add(`encoding.${channel}.field`, `names ${showValue(field)}, which has no value in any row.`);
  }
  if (empty.length === 0 && rows.every((row) => lacksValue(chart, row)))
    problems.add("encoding.y2.field", "has no value in any row that has one for y; a band needs both.");
}

function requireUnique(chart: Chart, rows: readonly NumberedRow[], problems: ProblemList): void {
  const first = new Map<string, number>();
  for (const row of rows) {
    const key = `${row.facet} ${row.group} ${row.at}`;
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, row.number);
    else
      problems.addOfRow(
        row.number - 1,
        chart.x.field,
        `repeated ${chart.x.channel}`,
        describeRepeat(chart, row, earlier),
      );
  }
}

function describeRepeat(chart: Chart, row: NumberedRow, earlier: number): string {
  const group = chart.color === null ? "" : ` in the group ${showValue(chart.groups[row.group])}`;
  const facet = chart.facet === null ? "" : ` in the facet ${showValue(chart.facets[row.facet])}`;
  const mend = chart.color === null ? "add them up, or tell them apart by encoding.color" : "add them up";
  return `repeats ${showValue(row.x)} of row ${earlier}${group}${facet}; ${chart.mark === "bar" ? "bars" : "areas"} take one row each: ${mend}.`;
}

function refuseNegatives(chart: Chart, rows: readonly NumberedRow[], problems: ProblemList): void {
  for (const { y, number } of rows) {
    if (y === null || y >= 0) continue;
    const mend = "use lines, or leave encoding.color out";
    problems.addOfRow(
      number - 1,
      chart.y.field,
      "negative",
      `must not be negative in stacked areas, got ${y}; ${mend}.`,
    );
  }
}
