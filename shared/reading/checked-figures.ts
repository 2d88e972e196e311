import { listCheckedFigures } from "../../sql/reading/checked-figures.ts";
import { mayHoldCharts } from "../datasets/drawings/charts.ts";
import { toIso } from "../ground/times.ts";
import type { Deps } from "../platform/deps.ts";
import { renderSourceLine } from "../text/charts/render-source-line.ts";
import type { CheckedFigure } from "../text/markdown/render-checked.ts";
import { showCharts } from "./bound-charts.ts";
import { presentSource, sourceLineOf } from "./data-sources.ts";

/** Whether a payload has figures, so that most works spare the question for them. */
export function hasFigures({ figures }: Record<string, unknown>): boolean {
  return Array.isArray(figures) && figures.length > 0;
}

/** What the page of a revision shows of its text beside the text: charts with rows from files, and checked figures. */
export async function showBoundData(deps: Deps, revisionId: string, payload: Record<string, unknown>) {
  const text = payload.body_markdown;
  const [charts, checked] = await Promise.all([
    typeof text === "string" && mayHoldCharts(text) ? showCharts(deps, revisionId, payload) : null,
    hasFigures(payload) ? showFigures(deps, revisionId) : [],
  ]);
  return { charts, checked };
}

/** The figures of a revision's text that were checked against data, as its page shows them. */
async function showFigures(deps: Deps, revisionId: string): Promise<CheckedFigure[]> {
  return (await listCheckedFigures(deps.pool, revisionId)).map((row) => ({
    text: row.text,
    question: row.question,
    line: renderSourceLine(sourceLineOf(deps, row, `the data say ${row.value}`)),
  }));
}

/** The `figures` of a revision in the public JSON. */
export async function presentFigures(deps: Deps, revisionId: string) {
  return (await listCheckedFigures(deps.pool, revisionId)).map((row) => ({
    text: row.text,
    value: row.value,
    checked_at: toIso(row.checked_at),
    ...presentSource(deps, row),
  }));
}
