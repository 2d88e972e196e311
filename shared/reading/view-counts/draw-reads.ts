import { renderChartFigure } from "../../text/charts/render-chart-figure.ts";
import type { Chart, ChartRow } from "../../text/markdown/charts/chart.ts";
import type { ReadsOfDay } from "./present-reads.ts";
import { READ_FORMS } from "./tally.ts";

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
    days.map((day) => ({ x: day.day, at: Date.parse(day.day), y: day[form], group })),
  );
  const chart: Chart = {
    mark: "line",
    title: null,
    description: null,
    x: { field: "day", type: "temporal", title: "Day (UTC)" },
    y: { field: "reads", type: "quantitative", title: "Reads" },
    color: { field: "form", type: "nominal", title: "Form" },
    rows,
    categories: [],
    groups,
    grain: "day",
  };
  return renderChartFigure(chart, { idPrefix: "reads", number: 1 });
}
