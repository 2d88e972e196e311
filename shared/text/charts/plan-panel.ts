import type { Chart } from "../markdown/charts/chart.ts";
import type { Marks } from "./marks.ts";
import type { Panel } from "./panel.ts";

/** Plans the panel of a chart, or of a part of it, on axes that all share. */
export type PlanPanel = (chart: Chart, marks: Marks) => Panel;
