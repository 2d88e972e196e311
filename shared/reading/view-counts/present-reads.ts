import type { AgentRow } from "../../../sql/identity/agents.ts";
import {
  listMostRead,
  listReadCounts,
  type MostReadRow,
  type ReadCountRow,
  type ReadDays,
  type ReadForm,
  type ReadFormRow,
  sumReadCountsOfAgent,
} from "../../../sql/reading/read-counts.ts";
import { addressesOf } from "../../ground/addresses.ts";
import type { FieldErrors } from "../../ground/errors.ts";
import { DAY_MS, toUtcDay } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { renderChartFigure } from "../../text/charts/render-chart-figure.ts";
import { BARE_CHART, type Chart, type ChartRow, PLAIN_LOOK } from "../../text/markdown/charts/chart.ts";
import { READ_FORMS } from "./read-counter.ts";

/** How many works the list of the most read has. */
export const MOST_READ_WORKS = 100;

/** Reads by form, those of robots apart. */
export type ReadSums = Record<ReadForm | "robots", number>;
/** The same of one day. */
type ReadsOfDay = { day: string } & ReadSums;

/** Reads day by day, and all of them together. */
export type ReadsByDay = ReturnType<typeof presentDays>;

/** How often a work was read on each of these days, those without reads included. */
export async function getReadsOfWork(deps: Deps, creationId: string, days: ReadDays): Promise<ReadsByDay> {
  return presentDays(days, await listReadCounts(deps.pool, creationId, days));
}

/** The same of all works of an agent, for its last thirty days. */
export async function getReadsOfAgent(deps: Deps, agent: AgentRow): Promise<ReadsByDay> {
  const days = lastDays(deps.now());
  return presentDays(days, await sumReadCountsOfAgent(deps.pool, agent.id, days));
}

/** The works of an agent that were read most in the last thirty days, and what all its works were read. */
export async function getMostRead(deps: Deps, agent: AgentRow) {
  const days = lastDays(deps.now());
  const [works, all] = await Promise.all([
    listMostRead(deps.pool, agent.id, { ...days, limit: MOST_READ_WORKS }),
    sumReadCountsOfAgent(deps.pool, agent.id, days),
  ]);
  return { data: works.map((work) => presentWork(deps, agent, work)), meta: { ...days, ...sumUp(all) } };
}

function presentWork(deps: Deps, { handle }: AgentRow, { forms, slug, is_open, ...work }: MostReadRow) {
  const url = is_open ? addressesOf(deps.config.siteUrl).creation(handle, slug) : null;
  return { ...work, url, ...sumUp(forms) };
}

function presentDays(days: ReadDays, rows: readonly ReadCountRow[]) {
  const byDay = Map.groupBy(rows, ({ day }) => day);
  return {
    data: listDays(days).map((day) => ({ day, ...sumUp(byDay.get(day) ?? []) })),
    meta: sumUp(rows),
  };
}

function sumUp(rows: readonly ReadFormRow[]): ReadSums {
  const sums: ReadSums = { page: 0, markdown: 0, json: 0, rows: 0, download: 0, robots: 0 };
  for (const { form, readers, robots } of rows) {
    sums[form] += readers;
    sums.robots += robots;
  }
  return sums;
}

/** What the forms are called where people read of them. */
export const READ_FORM_WORDS = {
  page: "Pages",
  markdown: "Markdown",
  json: "JSON",
  rows: "Rows",
  download: "Downloads",
} as const;

/** Draws the reads of people as a line for each form that was read, with its data as a table; null where none was. */
export function drawReads(days: readonly ReadsOfDay[]): string | null {
  const forms = READ_FORMS.filter((form) => days.some((day) => day[form] > 0));
  if (forms.length === 0) return null;
  const groups: string[] = forms.map((form) => READ_FORM_WORDS[form]);
  const rows: ChartRow[] = forms.flatMap((form, group) =>
    days.map((day) => ({
      x: day.day,
      at: Date.parse(day.day),
      y: day[form],
      y2: null,
      line: null,
      group,
      facet: 0,
    })),
  );
  const chart: Chart = {
    ...BARE_CHART,
    mark: "line",
    x: { ...PLAIN_LOOK, channel: "x", field: "day", type: "temporal", title: "Day (UTC)" },
    y: { ...PLAIN_LOOK, channel: "y", field: "reads", type: "quantitative", title: "Reads" },
    color: { ...PLAIN_LOOK, channel: "color", field: "form", type: "nominal", title: "Form" },
    rows,
    groups,
  };
  return renderChartFigure(chart, { idPrefix: "reads", number: 1 });
}

/** The most days of one answer. */
export const MOST_READ_DAYS = 366;
/** The days of an answer where the request names none: today is the last of them. */
export const DEFAULT_READ_DAYS = 30;
const FIRST_DAY = "0001-01-01";

/** The last days, today included. */
export function lastDays(nowMs: number, count = DEFAULT_READ_DAYS): ReadDays {
  return { from: toUtcDay(nowMs - (count - 1) * DAY_MS), to: toUtcDay(nowMs) };
}

/**
 * Reads `from` and `to`, days in UTC, both included: today where `to` is left out, and thirty days where `from` is. What
 * cannot be asked is a fault on the parameter; the days are then those of an answer without any.
 */
export function readDays(query: Record<string, unknown>, nowMs: number, faults: FieldErrors): ReadDays {
  const byDefault = lastDays(nowMs);
  const to = readDay(query, "to", faults) ?? byDefault.to;
  const from = readDay(query, "from", faults) ?? lastDays(Date.parse(to)).from;
  if (faults.from !== undefined || faults.to !== undefined) return byDefault;
  const count = countDays({ from, to });
  const today = query.to === undefined ? ", which is today in UTC" : "";
  if (count < 1) {
    faults.from = [`The from, ${from}, is after the to, ${to}${today}. Take ${to} or an earlier day.`];
  } else if (count > MOST_READ_DAYS) {
    const earliest = lastDays(Date.parse(to), MOST_READ_DAYS).from;
    faults.from = [
      `There are ${count} days from ${from} to ${to}${today}; one request takes ${MOST_READ_DAYS}. Take ${earliest} or a later day as from, or an earlier to.`,
    ];
  } else return { from, to };
  return byDefault;
}

/** Every day from the first to the last. */
export function listDays({ from, to }: ReadDays): string[] {
  const first = Date.parse(from);
  return Array.from({ length: countDays({ from, to }) }, (_, place) => toUtcDay(first + place * DAY_MS));
}

function countDays({ from, to }: ReadDays): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
}

function readDay(query: Record<string, unknown>, name: "from" | "to", faults: FieldErrors): string | null {
  const value = query[name];
  if (value === undefined) return null;
  if (typeof value === "string" && isDay(value)) return value;
  faults[name] ??= [`The ${name} must be a day of the calendar, in UTC, such as 2026-11-20.`];
  return null;
}

/** Whether this is a day that exists, as the answers write it. */
function isDay(value: string): boolean {
  const ms = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(ms) && toUtcDay(ms) === value && value >= FIRST_DAY;
}
