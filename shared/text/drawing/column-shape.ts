import { element, formatNumber, type SvgNode } from "./svg.ts";

/** Sizes of the small drawings in px; the page's stylesheet sets nothing of them but their colour. */
const WIDTH_PX = 168;
const HEIGHT_PX = 36;
const GAP_PX = 1;
const BAR_HEIGHT_PX = 4;
// A bar has at least this height wherever a value occurs.
const LEAST_PX = 1;

/**
 * Draws how many values lie in each of equal steps, as one path of bars on a base line. `label` says it in words. The
 * bars take the colour of the text around them.
 */
export function drawHistogram(counts: readonly number[], label: string): SvgNode {
  const most = Math.max(1, ...counts);
  const step = WIDTH_PX / Math.max(1, counts.length);
  let bars = "";
  counts.forEach((count, index) => {
    if (count === 0) return;
    const height = Math.max(LEAST_PX, (HEIGHT_PX * count) / most);
    const width = formatNumber(step - GAP_PX);
    bars += `M${formatNumber(index * step)},${HEIGHT_PX}v${formatNumber(-height)}h${width}v${formatNumber(height)}`;
  });
  return element(
    "svg",
    {
      role: "img",
      "aria-label": label,
      viewBox: `0 0 ${WIDTH_PX} ${HEIGHT_PX + 1}`,
      width: WIDTH_PX,
      height: HEIGHT_PX + 1,
      fill: "currentColor",
    },
    [
      element("path", { d: bars }),
      element("path", { class: "base", d: `M0,${HEIGHT_PX + 0.5}H${WIDTH_PX}`, stroke: "currentColor" }),
    ],
  );
}

/** Draws a share of something, from 0 to 1, as a bar; the figure beside it says it in words. */
export function drawShare(share: number): SvgNode {
  const width = Math.max(LEAST_PX, WIDTH_PX * Math.min(share, 1));
  return element(
    "svg",
    { "aria-hidden": "true", width: WIDTH_PX, height: BAR_HEIGHT_PX, fill: "currentColor" },
    [element("rect", { width, height: BAR_HEIGHT_PX })],
  );
}
