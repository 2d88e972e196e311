import { wrapText } from "../drawing/measure-text.ts";
import { element, type SvgNode } from "../drawing/svg.ts";
import type { Chart } from "../markdown/charts/chart.ts";
import { CHART_SIZES, drawTextLines, nameLabel, RIGHT_PX } from "./frame.ts";
import type { DrawnPanel, Panel, PanelRoom } from "./panel.ts";
import { planPanels } from "./panels.ts";

/** All panels of a chart, planned before the room above them is known. */
export interface PanelSet {
  /** Whether groups are named beside their marks, so that they need no legend. */
  namesGroups: boolean;
  /** Draws them from a height on; the annotations in `numbered` have their number in place of their label. */
  draw(top: number, numbered: ReadonlySet<number>): DrawnPanel;
}

/** Plans one panel, or small charts in columns, each under its name. */
export function layPanels(chart: Chart, room: Omit<PanelRoom, "columns">): PanelSet {
  if (chart.facet !== null) return layFacets(chart, room);
  const panels = planPanels(chart, { ...room, columns: null });
  const labels = { values: true, across: true };
  const draw = (top: number, numbered: ReadonlySet<number>) =>
    joinPanels(
      panels.map((panel) => {
        const drawn = panel.draw(top, { numbered, labels, isTitled: true });
        const title = panel.drawTitle(drawn.bottom, panel.right);
        return { ...drawn, ...title, nodes: [...drawn.nodes, ...title.nodes] };
      }),
    );
  return { namesGroups: panels.every(({ namesGroups }) => namesGroups), draw };
}

function joinPanels(drawn: readonly DrawnPanel[]): DrawnPanel {
  return {
    nodes: drawn.flatMap(({ nodes }) => nodes),
    bottom: Math.max(...drawn.map(({ bottom }) => bottom)),
    unplaced: [...new Set(drawn.flatMap(({ unplaced }) => unplaced))],
  };
}

/** Room enough for a small chart: its width decides alone how many stand side by side. */
const LEAST_WIDTH_PX = { upright: 150, horizontal: 300 } as const;
const HEIGHT_SHARE = 0.6;
const [LEAST_PLOT_PX, MOST_PLOT_PX] = [96, 200];
const TICK_PX = 36;
const NAME_FONT = { sizePx: CHART_SIZES.text, bold: true };
const NAME_LINES = 2;
const ROW_GAP_PX = 20;

function layFacets(chart: Chart, room: Omit<PanelRoom, "columns">): PanelSet {
  const most = Math.floor(room.widthPx / LEAST_WIDTH_PX[chart.horizontal ? "horizontal" : "upright"]);
  const lines = Math.ceil(chart.facets.length / most);
  const columns = Math.ceil(chart.facets.length / lines);
  const plotPx = Math.min(MOST_PLOT_PX, Math.max(LEAST_PLOT_PX, (room.widthPx / columns) * HEIGHT_SHARE));
  const ticks = Math.round(plotPx / TICK_PX);
  const panels = planPanels(chart, { ...room, columns, plotPx, ticks });
  const draw = (top: number, numbered: ReadonlySet<number>) => {
    const drawn: DrawnPanel[] = [];
    let from = top;
    for (let first = 0; first < panels.length; first += columns) {
      const line = panels.slice(first, first + columns);
      const names = line.map((panel, at) => wrapName(chart.facets[first + at] ?? "", panel));
      const namePx = Math.max(...names.map((name) => name.length)) * CHART_SIZES.line;
      const row = line.map((panel, column) => {
        const labels = { values: column === 0, across: first + column + columns >= panels.length };
        const inner = panel.draw(from + namePx + CHART_SIZES.gap, {
          numbered,
          labels,
          isTitled: first + column === 0,
        });
        const nodes = [drawName(names[column] ?? [], panel.left, from), ...inner.nodes];
        return { ...inner, nodes: [shift(nodes, panel.columnLeft(column))] };
      });
      drawn.push(...row);
      // A chart without one below it has labels that reach into the empty place.
      const reaches = (column: number) => !chart.horizontal && first + column + columns >= panels.length;
      from = Math.max(0, ...row.map(({ bottom }, column) => (reaches(column) ? 0 : bottom))) + ROW_GAP_PX;
    }
    const all = joinPanels(drawn);
    const title = panels[0]?.drawTitle(all.bottom, room.widthPx - RIGHT_PX) ?? {
      nodes: [],
      bottom: all.bottom,
    };
    return { ...all, nodes: [...all.nodes, ...title.nodes], bottom: title.bottom };
  };
  return { namesGroups: false, draw };
}

function wrapName(name: string, { left, widthPx }: Panel): string[] {
  return wrapText(nameLabel(name), widthPx - left - CHART_SIZES.edge, NAME_LINES, NAME_FONT);
}

function drawName(lines: readonly string[], x: number, top: number): SvgNode {
  return element("g", {}, drawTextLines(lines, { x, y: top + 10, "font-weight": 700 }));
}

function shift(nodes: readonly SvgNode[], x: number): SvgNode {
  return element("g", { transform: `translate(${x.toFixed(2)} 0)` }, nodes);
}
