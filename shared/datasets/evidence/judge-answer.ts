import type { StandingAnswer } from "../../../sql/datasets/standing-questions.ts";
import type { Figure } from "../../requests/figures.ts";
import { markThousands, saysFigure, writeFigure, writeValue } from "../../tables/questions/exact.ts";
import type { Question } from "../../tables/questions/question.ts";
import type { Chart } from "../../text/markdown/charts/chart.ts";
import { keepLongNumber } from "../../text/markdown/charts/members.ts";
import { parseChart } from "../../text/markdown/charts/parse-chart.ts";
import type { KeptRows } from "../../text/markdown/charts/read-source.ts";
import { readChartAnswer } from "../questions/bind-charts.ts";
import { readValue } from "../questions/bind-figures.ts";
import type { FoundAnswer } from "../questions/questions-of-save.ts";

/** What an answer says of a figure or chart. */
export type Judged = Pick<StandingAnswer, "state" | "value" | "rowsChanged" | "reason" | "watched">;

const NOTHING = { value: null, rowsChanged: null, reason: null };
/** What rows say that are those of before. */
export const SAME_ROWS: Judged = { ...NOTHING, state: "holds", rowsChanged: 0 };
const MOST_REASON_CHARACTERS = 500;

/** A question that its data cannot answer any more, and why. */
export function cannotBeAsked(reason: string): Judged {
  return { ...NOTHING, state: "cannot_be_asked", reason: reason.slice(0, MOST_REASON_CHARACTERS) };
}

/** What a value says of a figure, whose text stays as it is. */
export function judgeValue(value: string, figure: Figure): Judged {
  const said = writeFigure(value, figure);
  const state = saysFigure(figure.text, said) ? "holds" : "differs";
  return { ...NOTHING, state, value: markThousands(said, figure.text) };
}

/** What an answer says of a figure. */
export function judgeFigure(figure: Figure, question: Question, { json }: Pick<FoundAnswer, "json">): Judged {
  const { value, fault } = readValue(json, { question, whole: question });
  return value === undefined ? cannotBeAsked(fault) : judgeValue(value, figure);
}

/** A chart as its text has it: the source of its block, and the rows that it keeps as JSON text. */
export interface KeptBlock {
  source: string;
  rows: string;
}

/** What an answer says of a chart: its drawn fields are compared row by row. */
export function judgeChart(block: KeptBlock, question: Question, limit: number, found: FoundAnswer): Judged {
  const { kept, fault } = readChartAnswer(found, { question, limit });
  if (fault !== null) return cannotBeAsked(fault);
  const now = parseChart(block.source, kept);
  if (!now.ok) return cannotBeAsked(now.problems[0]?.message ?? "The chart cannot be drawn of these rows.");
  const before = parseChart(block.source, JSON.parse(block.rows, keepLongNumber) as KeptRows);
  const [old, rows] = [before.ok ? listDrawn(before.chart) : [], listDrawn(now.chart)];
  const isSame = old.length === rows.length && old.every((row, at) => row === rows[at]);
  const rowsChanged = countInOne(old, rows);
  return { ...NOTHING, state: isSame ? "holds" : "differs", rowsChanged };
}

/** The values of each row: places and colours follow from the rows around it. */
function listDrawn({ rows, groups, facets }: Chart): string[] {
  return rows.map(({ x, y, y2, line, group, facet, long = {} }) => {
    const digits = [long.x, long.y, long.y2, long.line].map(
      (text) => text && (writeValue(text, false) ?? text),
    );
    return JSON.stringify([x, y, y2, line, groups[group], facets[facet], ...digits]);
  });
}

/** How many rows are in one of two lists only, as often as they are. */
export function countInOne(old: readonly string[], rows: readonly string[]): number {
  const left = new Map<string, number>();
  for (const row of old) left.set(row, (left.get(row) ?? 0) + 1);
  for (const row of rows) left.set(row, (left.get(row) ?? 0) - 1);
  return [...left.values()].reduce((sum, count) => sum + Math.abs(count), 0);
}
