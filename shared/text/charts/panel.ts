import type { SvgNode } from "../drawing/svg.ts";
import type { FieldLook } from "../markdown/charts/chart.ts";

/** The room that a panel has, and how it is drawn. */
export interface PanelRoom {
  widthPx: number;
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
  /** Draws it from a height on; `bottom` is where it ends. */
  draw(top: number): { nodes: SvgNode[]; bottom: number };
}

/** What the values of all panels of a chart are measured by, in a magnitude that is fit for arithmetic. */
export interface Ruler {
  /** The scale and the format of the values. */
  look: Pick<FieldLook, "scale" | "format">;
  domain: [number, number];
  values: readonly number[];
  /** The factor of the magnitude, and the exponent of ten that it took away. */
  factor: number;
  shift: number;
}
