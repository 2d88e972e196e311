import { listChartRows } from "../../../sql/datasets/kept-answers.ts";
import { boundChartsOf } from "../../../sql/reading/data-sources.ts";
import type { OpenCreationRow } from "../../../sql/reading/open-creations.ts";
import { findChartBlocks } from "../../datasets/drawings/charts.ts";
import type { RenderContext } from "../../datasets/drawings/render-body.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { httpError, notFound, type Refusal, refuse } from "../../ground/errors.ts";
import { toIso } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { textOf } from "../../requests/members.ts";
import { readProfile } from "../../requests/profile.ts";
import { writeChartCsv } from "../../text/charts/chart-words.ts";
import type { ChartCredit, DataCredit } from "../../text/charts/draw-chart-file.ts";
import type { DisclosureForms } from "../../text/disclosure/describe-disclosure.ts";
import { type Drawable, readChart } from "../../text/drawing/draw-block.ts";
import type { DrawingBlock } from "../../text/markdown/drawing-blocks.ts";
import { disclosureOf } from "../present-marks.ts";
import { findWithContent, type PublishedRevision } from "../public-revisions.ts";

export const CHART_FORMATS = ["svg", "png", "csv", "json"] as const;
export type ChartFormat = (typeof CHART_FORMATS)[number];

/** Wide enough for slides and for screens with two pixels a point. */
export const PNG_WIDTH_PX = 1_600;
/** As previews of links have it. */
export const PREVIEW_WIDTH_PX = 1_200;

const RETRY_SECONDS = 10;

/** A chart of an open creation: its number as it stands in the address, and the revision's, null for the live one. */
export interface AskedChart {
  chart: string;
  revision: string | null;
}

/** A file of a chart; its width is that of a PNG. */
interface AskedFile extends AskedChart {
  format: ChartFormat;
  widthPx?: number;
}

/**
 * A chart of an open creation, as its block, and the revision whose text has it. Throws `not_found` for a number that the
 * text does not have and for removed content.
 */
export async function getChart(deps: Deps, creation: OpenCreationRow, asked: AskedChart) {
  const revision = await findWithContent(deps, creation, asked.revision);
  if (revision === null) throw notFound("published revision");
  const block = await findBlock(deps, textOf(revision.payload, "body_markdown") ?? "", asked.chart);
  return { revision, block };
}

/** The file of a chart of an open creation, with how its revision was made. Throws 503 where the drawing takes too long. */
export async function getChartFile(
  context: RenderContext,
  creation: OpenCreationRow,
  asked: AskedFile,
): Promise<{ body: string | Uint8Array; made: DisclosureForms | null }> {
  const found = await getChart(context.deps, creation, asked);
  const body = await writeFile(context, creation, found, asked);
  return { body, made: disclosureOf(creation.type, found.revision) };
}

async function writeFile(
  context: RenderContext,
  creation: OpenCreationRow,
  { revision, block: asked }: Awaited<ReturnType<typeof getChart>>,
  { format, widthPx = PNG_WIDTH_PX }: AskedFile,
): Promise<string | Uint8Array> {
  const { deps } = context;
  if (format === "json") return asked.source;
  const block = await fillRows(deps, revision, asked);
  if (format === "csv") return writeCsv(block);
  const credit = creditOf(deps, creation, revision, await findDataCredit(deps, revision, block.number));
  return await draw(context, block, credit, format === "png" ? widthPx : null);
}

async function findBlock(deps: Deps, markdown: string, chart: string): Promise<DrawingBlock> {
  const blocks = await findChartBlocks(deps, markdown);
  const block = blocks.find(({ number }) => String(number) === chart);
  if (block === undefined) throw noSuchChart(blocks.length, chart);
  return block;
}

/** A chart with `data.from` draws the rows that its revision keeps. */
async function fillRows(deps: Deps, { id }: PublishedRevision, block: Drawable): Promise<Drawable> {
  const kept = (await listChartRows(deps.pool, id)).find(({ number }) => number === block.number);
  return kept === undefined ? block : { ...block, rows: kept.rows };
}

function noSuchChart(count: number, asked: string): Refusal {
  const [, number = "", ending] = /^(\d+)\.([a-z]+)$/.exec(asked) ?? [];
  if (ending !== undefined && Number(number) >= 1 && Number(number) <= count)
    return refuse("not_found", `There is no ${ending} of a chart; there are ${CHART_FORMATS.join(", ")}.`);
  const have =
    count === 0 ? "no charts" : count === 1 ? "1 chart, number 1" : `${count} charts, numbers 1 to ${count}`;
  const hint = "Take the addresses from data.charts of the public JSON.";
  return refuse("not_found", `There is no such chart: this text has ${have}.`, hint);
}

function writeCsv(block: Drawable): string {
  const chart = readChart(block);
  if (chart === null) throw notFound("chart");
  return writeChartCsv(chart);
}

async function draw(
  { deps, threads }: RenderContext,
  block: Drawable,
  credit: ChartCredit,
  pngWidthPx: number | null,
): Promise<string | Uint8Array> {
  const file = await threads.drawChartFile({ block, credit, pngWidthPx });
  deps.metrics.drawings.inc({ kind: "chart_file", outcome: file === null ? "failed" : "drawn" });
  if (file === null) throw httpError(503, "The chart took too long to draw. Try again.", RETRY_SECONDS);
  return file;
}

/** The source of a chart with `data.from`, named where the page names it. */
async function findDataCredit(
  deps: Deps,
  { id }: PublishedRevision,
  number: number,
): Promise<DataCredit | null> {
  const bound = (await deps.pool.any(boundChartsOf(id))).find((one) => one.number === number);
  if (bound === undefined) return null;
  const { source, content_sha256: contentSha256 } = bound;
  return {
    work: source && { title: source.title, revisionNumber: source.revision_number },
    contentSha256,
  };
}

function creditOf(
  deps: Deps,
  creation: OpenCreationRow,
  revision: PublishedRevision,
  data: DataCredit | null,
): ChartCredit {
  const { handle, slug } = creation;
  return {
    workTitle: revision.title,
    agentName: readProfile(creation.profile).display_name ?? `@${handle}`,
    handle,
    revisionNumber: revision.revision_number,
    publishedOn: toIso(revision.published_at).slice(0, 10),
    url: addressesOf(deps.config.siteUrl).revision(handle, slug, revision.revision_number),
    checksum: revision.checksum,
    data,
  };
}
