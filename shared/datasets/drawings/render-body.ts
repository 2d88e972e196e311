import type { Deps } from "../../platform/deps.ts";
import type { Threads } from "../../platform/threads/open.ts";
import { renderFrameLine } from "../../text/charts/chart-frame.ts";
import { ID_PREFIX } from "../../text/drawing/draw-block.ts";
import { escapeText } from "../../text/drawing/svg.ts";
import type { DrawingBlock } from "../../text/markdown/drawing-blocks.ts";
import type { CheckedFigure } from "../../text/markdown/render.ts";
import type { KeptCharts } from "./charts.ts";
import { getFigures } from "./drawings.ts";

/** The dependencies of rendering an answer for readers. */
export interface RenderContext {
  deps: Deps;
  threads: Threads;
  /** Reports that a part of the answer, a drawing or statistics, is not there yet. */
  onMissingPart?(): void;
}

/** The charts of a text with rows from files, and what stands under each, as HTML by its number. */
export interface ShownCharts extends KeptCharts {
  lines: ReadonlyMap<number, string>;
}

/** How long a reader waits for the missing drawings of a text. */
const WAIT_MS = 5_000;

/** The place of a text on a page. */
interface BodyPlace {
  /** The revision whose text it is: what is drawn now counts for its agent. */
  revisionId: string;
  /** The address of the page of its work or agent: the text's relative addresses lead from there. */
  page: string;
  /** Separates the ids of several texts on one page. */
  idPrefix?: string;
  /** The level of the text's outermost headings. */
  topHeading?: number;
  /** The address under which readers find the files of the text's charts; left out where they have none. */
  chartsAt?: string | undefined;
  /** The charts of the text with rows from files; null where it has none. */
  charts?: ShownCharts | null;
  /** The figures of the text that the data bear out, which are listed below it. */
  checked?: readonly CheckedFigure[];
}

/**
 * The safe HTML of a Markdown text that was accepted on save, with its drawings in place; missing drawings
 * are drawn now, as far as five seconds suffice.
 */
export async function renderBody(
  { deps, threads, onMissingPart }: { deps: Deps; threads: Threads; onMissingPart?(): void },
  markdown: string,
  { revisionId, page, idPrefix = "body-", topHeading = 2, chartsAt, charts = null, checked = [] }: BodyPlace,
): Promise<string> {
  const { blocks } = await deps.texts.read(markdown);
  const drawings = await getFigures(deps, threads, blocks, WAIT_MS, { revisionId, charts });
  const figures = new Map<string, string>();
  blocks.forEach(({ kind, number }, index) => {
    const drawn = drawings[index]?.html ?? "";
    const figure = nameIds(drawn, { kind, number, idPrefix });
    const shown = kind === "Chart" ? finishChart(figure, number, { chartsAt, charts }) : figure;
    figures.set(`${kind} ${number}`, shown);
  });
  const html = await deps.texts.render({ markdown, idPrefix, topHeading, page, figures, checked });
  // What is not drawn yet will be there next time.
  if (!drawings.every(({ isLasting }) => isLasting)) onMissingPart?.();
  return html;
}

/**
 * A chart of a text alone, as a page of its own shows it: with its files and its line, and without its table, as what
 * frames it has room for its drawing.
 */
export async function renderChart(
  { deps, threads, onMissingPart }: RenderContext,
  block: DrawingBlock,
  { revisionId, chartsAt, charts = null }: Pick<BodyPlace, "revisionId" | "charts"> & { chartsAt: string },
): Promise<string> {
  const [drawn] = await getFigures(deps, threads, [block], WAIT_MS, { revisionId, charts });
  if (drawn?.isLasting !== true) onMissingPart?.();
  const figure = nameIds(drawn?.html ?? "", { ...block, idPrefix: "" });
  const { number } = block;
  const line = charts?.lines.get(number) ?? "";
  const [start, end] = [figure.indexOf(TABLE_BEGINS), figure.lastIndexOf(TABLE_ENDS)];
  // Where the table stands for the drawing, it stays.
  if (start === -1 || end === -1) return endWith(line, addFileLinks(figure, number, chartsAt));
  const links = `<p>${linkFiles(number, chartsAt)}</p>`;
  const caption = figure.slice(end + TABLE_ENDS.length).replace(`>Chart ${number}. `, ">");
  return endWith(line, `${lighten(figure.slice(0, start))}${links}${caption}`);
}

// A page of a chart is 40 KiB at most. The tips of 200 rows with names of ordinary length have 12 KB.
const MOST_TIP_BYTES = 16_384;
const TIP = /<title>[^<]*<\/title>/g;

/** A drawing without the tips of its marks, where these are the most of it. */
function lighten(drawing: string): string {
  const tips = drawing.match(TIP)?.join("") ?? "";
  return Buffer.byteLength(tips) > MOST_TIP_BYTES ? drawing.replace(TIP, "") : drawing;
}

/** A figure whose ids are those of its place on a page. */
function nameIds(
  figure: string,
  { kind, number, idPrefix }: Pick<DrawingBlock, "kind" | "number"> & { idPrefix: string },
): string {
  return figure.replaceAll(ID_PREFIX, `${idPrefix}${kind.toLowerCase()}-${number}`);
}

/** A chart's figure with the links to its files, where it has any, and the line below it. */
function finishChart(
  figure: string,
  number: number,
  { chartsAt, charts }: Pick<BodyPlace, "chartsAt" | "charts">,
): string {
  const line = charts?.lines.get(number) ?? "";
  if (chartsAt === undefined) return endWith(line, figure);
  const below = `<p>${linkFiles(number, chartsAt)}</p>${line}`;
  const frameLine = renderFrameLine(figure + below, `${chartsAt}/${number}`);
  return endWith(line, addFileLinks(figure, number, chartsAt, frameLine));
}

/** A figure with a line at its end: before the caption, which HTML has last. */
function endWith(line: string, figure: string): string {
  const caption = figure.lastIndexOf("<figcaption>");
  const end = caption === -1 ? figure.lastIndexOf("</figure>") : caption;
  return end === -1 ? figure + line : `${figure.slice(0, end)}${line}\n${figure.slice(end)}`;
}

const TABLE_BEGINS = "<details><summary>Data as a table";
const TABLE_ENDS = "</details>";

/** A chart's figure with the line that leads to its files, and one to copy; one that is shown as its source has none. */
function addFileLinks(figure: string, number: number, chartsAt: string, frameLine = ""): string {
  const at = figure.lastIndexOf(TABLE_ENDS);
  if (at === -1) return figure;
  const end = at + TABLE_ENDS.length;
  return `${figure.slice(0, end)}\n<p>${linkFiles(number, chartsAt)}</p>${frameLine}${figure.slice(end)}`;
}

function linkFiles(number: number, chartsAt: string): string {
  // Without the site's root: on paper an address that begins with http stands behind its link.
  const path = escapeText(new URL(chartsAt).pathname);
  const links = ["svg", "png", "csv"].map((format) => {
    const name = format.toUpperCase();
    return `<a href="${path}/${number}.${format}" aria-label="Chart ${number} as ${name}">${name}</a>`;
  });
  return links.join(" · ");
}
