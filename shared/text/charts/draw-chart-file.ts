import { wrapText } from "../drawing/measure-text.ts";
import { element, escapeText, type SvgNode } from "../drawing/svg.ts";
import type { Chart } from "../markdown/charts/chart.ts";
import { CHART_PALETTE, COLORS } from "../theme/tokens.ts";
import { describeChart, nameChart } from "./chart-words.ts";
import { drawRoot, drawShapes } from "./draw-chart.ts";
import { AXIS_FONT, CHART_SIZES, drawSoft, drawTextLines } from "./frame.ts";
import { shortenHash } from "./render-source-line.ts";

/** Where a chart is from: the work and its revision, which the file names in words and in its metadata. */
export interface ChartCredit {
  workTitle: string;
  agentName: string;
  handle: string;
  revisionNumber: number;
  /** The day of that revision, as 2026-11-20. */
  publishedOn: string;
  /** The page of that revision. */
  url: string;
  /** The checksum of that revision, which covers the rows. */
  checksum: string;
  /** The file from which the rows come; null for a chart that holds them itself. */
  data: DataCredit | null;
}

/** The file of a chart's rows, and the work that has it; null where readers may not see one. */
export interface DataCredit {
  work: { title: string; revisionNumber: number } | null;
  contentSha256: string;
}

/** White around the chart in px, which a page has and a file alone has not. */
const PADDING_PX = 16;
const CREDIT_LINES = 3;
const ID_PREFIX = "chart";

/** The light colours of the page's stylesheet by its classes. */
const COLOR_OF = new Map<string, string>([
  ...(["soft", "grid", "paper"] as const).map(
    (name) => [name, COLORS[name === "grid" ? "rule" : name].light] as const,
  ),
  ...CHART_PALETTE.map(({ color }, index) => [`g${index + 1}`, color.light] as const),
]);

/**
 * Draws a chart as an SVG document that stands alone: light on its own ground in every reader, with its source and hash
 * below it and in its metadata.
 */
export function drawChartFile(chart: Chart, credit: ChartCredit): string {
  const drawn = drawShapes(chart, { idPrefix: ID_PREFIX, hatched: false });
  const foot = drawCredit(credit, { top: drawn.heightPx, widthPx: drawn.widthPx });
  const [x, y] = [-PADDING_PX, -PADDING_PX];
  const width = drawn.widthPx + 2 * PADDING_PX;
  const height = Math.ceil(drawn.heightPx + foot.heightPx) + 2 * PADDING_PX;
  const frame = { viewBox: `${x} ${y} ${width} ${height}`, width, height, color: COLORS.ink.light };
  const svg = drawRoot(chart, ID_PREFIX, frame, [
    writeMetadata(chart, credit),
    element("rect", { x, y, width, height, fill: COLORS.paper.light }),
    ...drawn.nodes,
    ...foot.nodes,
  ]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${colorClasses(svg.markup)}\n`;
}

/** The source in lines below the chart. */
function drawCredit(
  credit: ChartCredit,
  { top, widthPx }: { top: number; widthPx: number },
): { nodes: SvgNode[]; heightPx: number } {
  const { url, checksum, data } = credit;
  const lines = [
    ...(data === null ? [] : wrapText(writeData(data), widthPx, CREDIT_LINES, AXIS_FONT)),
    ...wrapText(writeSource(credit), widthPx, CREDIT_LINES, AXIS_FONT),
    ...wrapText(url, widthPx, CREDIT_LINES, AXIS_FONT),
    ...wrapText(`SHA-256 ${checksum}`, widthPx, CREDIT_LINES, AXIS_FONT),
  ];
  const first = top + CHART_SIZES.gap + CHART_SIZES.line;
  const nodes = [drawSoft(drawTextLines(lines, { x: 0, y: first }))];
  return { nodes, heightPx: CHART_SIZES.gap + lines.length * CHART_SIZES.line + CHART_SIZES.edge };
}

function writeSource({ workTitle, agentName, handle, revisionNumber, publishedOn }: ChartCredit): string {
  const agent = agentName === `@${handle}` ? agentName : `${agentName} (@${handle})`;
  return `Source: ${agent}, “${workTitle}”, revision ${revisionNumber}, ${publishedOn}`;
}

function writeData({ work, contentSha256 }: DataCredit): string {
  const hash = `SHA-256 ${shortenHash(contentSha256)}`;
  return `Data: ${work === null ? hash : `${work.title}, revision ${work.revisionNumber} · ${hash}`}`;
}

const NAMESPACES =
  'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/"';

/** The same for programs, in the terms of Dublin Core. */
function writeMetadata(chart: Chart, credit: ChartCredit): SvgNode {
  const terms = [
    ["title", nameChart(chart)],
    ["description", describeChart(chart)],
    ["creator", credit.agentName],
    ["date", credit.publishedOn],
    ["source", credit.url],
    ["identifier", `sha256:${credit.checksum}`],
  ] as const;
  const written = terms.map(([term, value]) => `<dc:${term}>${escapeText(value)}</dc:${term}>`).join("");
  const described = `<rdf:Description rdf:about="">${written}</rdf:Description>`;
  return { markup: `<metadata><rdf:RDF ${NAMESPACES}>${described}</rdf:RDF></metadata>` } as SvgNode;
}

/** The colours of classes as attributes, which every reader of SVG knows. No text holds a quote, so none looks like one. */
function colorClasses(markup: string): string {
  return markup.replace(/ class="([^"]*)"/g, (_, name: string) => {
    const color = COLOR_OF.get(name);
    return color === undefined ? "" : ` color="${color}"`;
  });
}
