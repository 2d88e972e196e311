import type { SvgNode } from "../drawing/svg.ts";
import type { Chart, FieldLook } from "../markdown/charts/chart.ts";
import type { Marks } from "./marks.ts";

/** The room that a panel has, and how it is drawn. */
export interface PanelRoom {
  widthPx: number;
  /** How many small charts stand side by side on that width; null for one chart that is none. */
  columns: number | null;
  /** The height of a plot; horizontal bars take what they need. */
  plotPx: number;
  /** About how many ticks the values have on that height. */
  ticks: number;
  hatchPrefix: string | null;
  /** Whether marks carry their figures for a pointer to show. */
  tips: boolean;
}

/** A plot with its axes and marks, planned before the room above it is known. */
export interface Panel {
  /** Whether groups are named beside their marks, so that they need no legend. */
  namesGroups: boolean;
  /** Its width, and the edges of its plot. */
  widthPx: number;
  left: number;
  right: number;
  /** Where a panel of a column begins. */
  columnLeft(column: number): number;
  /** Draws it from a height on. */
  draw(top: number, options: DrawPanelOptions): DrawnPanel;
  /** Draws the name of the axis across below a height, up to a right edge. */
  drawTitle(top: number, right: number): Pick<DrawnPanel, "nodes" | "bottom">;
}

/** Plans the panel of a chart, or of a part of it, on axes that all share. */
export type PlanPanel = (marks: Marks) => Panel;

/** How much of a panel is drawn. */
export interface DrawPanelOptions {
  /** The indices of annotations that have their number in place of their label. */
  numbered: ReadonlySet<number>;
  /** Whether the axes of values and across have their labels: small charts share them. */
  labels: { values: boolean; across: boolean };
  /** Whether the names of bars that lie have their title. */
  isTitled: boolean;
}

/** A panel as drawn. */
export interface DrawnPanel {
  nodes: SvgNode[];
  /** Where it ends. */
  bottom: number;
  /** The indices of annotations whose label, or number, has no place in it. */
  unplaced: readonly number[];
}

/** What the values of all panels of a chart are measured by, in a magnitude that is fit for arithmetic. */
export interface Ruler {
  /** The chart, and the marks of its panels. */
  whole: Chart;
  marks: readonly Marks[];
  /** The scale and the format of the values. */
  look: Pick<FieldLook, "scale" | "format">;
  domain: [number, number];
  values: readonly number[];
  /** The factor of the magnitude, and the exponent of ten that it took away. */
  factor: number;
  shift: number;
}
