import { expect } from "vitest";
import { parseChart } from "../../../../../shared/text/markdown/charts/parse-chart.ts";

type Json = Record<string, unknown>;

export const ROWS = [
  { a: "A", b: 28 },
  { a: "B", b: 55 },
];
export const X = { field: "a", type: "nominal" };
export const Y = { field: "b", type: "quantitative" };
export const COLOR = { field: "c", type: "nominal" };

/** The text of a chart of two bars, with these members changed. */
export const write = (changes: Json = {}): string =>
  JSON.stringify({ mark: "bar", data: { values: ROWS }, encoding: { x: X, y: Y }, ...changes });
/** The same with rows of its own. */
export const writeRows = (values: unknown, more: Json = {}): string => write({ data: { values }, ...more });

/** What is wrong with a chart, sentence by sentence. */
export function refuse(source: string): string[] {
  const parsed = parseChart(source);
  return parsed.ok ? ["(accepted)"] : parsed.problems.map(({ message }) => message);
}

/** Sees a chart refused in one sentence. */
export function expectRefused(source: string, message: string | RegExp): void {
  const messages = refuse(source);
  expect(messages).toHaveLength(1);
  if (typeof message === "string") expect(messages[0]).toBe(message);
  else expect(messages[0]).toMatch(message);
}

/** The chart that a text holds. */
export function accept(source: string) {
  const parsed = parseChart(source);
  if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join(" "));
  return parsed.chart;
}
