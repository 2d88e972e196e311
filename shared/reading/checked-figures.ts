import { type BoundRow, listBoundCharts } from "../../sql/reading/bound-charts.ts";
import { type CheckedRow, listCheckedFigures } from "../../sql/reading/checked-figures.ts";
import { toIso } from "../ground/times.ts";
import type { Deps } from "../platform/deps.ts";
import { renderSourceLine } from "../text/charts/render-source-line.ts";
import type { CheckedFigure } from "../text/markdown/render-checked.ts";
import { showCharts } from "./bound-charts.ts";
import { presentSource, sourceLineOf } from "./data-sources.ts";

/** What data say in the text of a revision: the charts that have their rows from files, and the checked figures. */
export interface BoundData {
  charts: readonly BoundRow[];
  figures: readonly CheckedRow[];
}

/** Reads what data say in the text of a revision. */
export async function readBoundData({ pool }: Deps, revisionId: string): Promise<BoundData> {
  const [charts, figures] = await Promise.all([
    listBoundCharts(pool, revisionId),
    listCheckedFigures(pool, revisionId),
  ]);
  return { charts, figures };
}

/** What the page of a revision shows of its text beside the text: charts with rows from files, and checked figures. */
export function showBoundData(deps: Deps, revisionId: string, { charts, figures }: BoundData) {
  return { charts: showCharts(deps, revisionId, charts), checked: showFigures(deps, figures) };
}

/** The figures of a revision's text that were checked against data, as its page shows them. */
function showFigures(deps: Deps, rows: readonly CheckedRow[]): CheckedFigure[] {
  return rows.map((row) => ({
    text: row.text,
    question: row.question,
    line: renderSourceLine(sourceLineOf(deps, row, `the data say ${row.value}`)),
  }));
}

/** The `figures` of a revision in the public JSON. */
export function presentFigures(deps: Deps, rows: readonly CheckedRow[]) {
  return rows.map((row) => ({
    text: row.text,
    value: row.value,
    checked_at: toIso(row.checked_at),
    ...presentSource(deps, row),
  }));
}
