import { isDeepStrictEqual } from "node:util";
import { listCorrections } from "../../../sql/reading/corrections.ts";
import type { OpenCreationRow } from "../../../sql/reading/open-creations.ts";
import { type RenderContext, renderChart } from "../../datasets/drawings/render-body.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { notFound } from "../../ground/errors.ts";
import { toIso } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { textOf } from "../../requests/members.ts";
import { nameChart } from "../../text/charts/chart-words.ts";
import type { Chart } from "../../text/markdown/charts/chart.ts";
import { disclosureOf } from "../present-marks.ts";
import { presentCorrection } from "../public-creation.ts";
import { readBoundData, readCharts, showBoundData } from "./bound-data.ts";
import { type AskedChart, getChart, PREVIEW_WIDTH_PX } from "./chart-files.ts";

/**
 * A chart of an open creation as a page of its own shows it, drawn, with what its work says of it: its newest correction, and of an earlier
 * revision whether the live one shows something else. Throws `not_found` for a number that the text does not have.
 */
export async function readChartPage(context: RenderContext, creation: OpenCreationRow, asked: AskedChart) {
  const { deps } = context;
  const { revision, block } = await getChart(deps, creation, asked);
  const { handle, slug, revision: live } = creation;
  const isLive = asked.revision === null;
  const number = isLive ? null : revision.revision_number;
  const addresses = addressesOf(deps.config.siteUrl);
  const chartsAt = addresses.charts(handle, slug, number);
  const [bound, shown, corrections] = await Promise.all([
    readBoundData(deps, revision.id),
    readChartsOf(deps, revision),
    listCorrections(deps.pool, { id: live.id, creation_id: creation.id }),
  ]);
  const chart = shown.get(block.number);
  if (chart === undefined) throw notFound("chart");
  const { charts } = showBoundData(deps, revision.id, bound, isLive);
  const figureHtml = await renderChart(context, block, { revisionId: revision.id, chartsAt, charts });
  return {
    name: nameChart(chart),
    description: chart.description,
    url: `${chartsAt}/${block.number}`,
    pictureUrl: `${chartsAt}/${block.number}.png?width=${PREVIEW_WIDTH_PX}`,
    workUrl: number === null ? addresses.creation(handle, slug) : addresses.revision(handle, slug, number),
    workTitle: revision.title,
    revisionNumber: number,
    publishedAt: toIso(revision.published_at),
    payload: revision.payload,
    figureHtml,
    corrections: corrections.map((row) => presentCorrection(deps, creation, row)),
    ...findLasting(deps, creation, block.number, {
      chart,
      charts: revision.id === live.id ? shown : await readChartsOf(deps, live),
    }),
    made: disclosureOf(creation.type, revision),
  };
}

/**
 * Where the live revision has what a chart shows: its chart of that number, or the page of the work where it has none; as
 * `newerUrl`, too, where none of its charts shows the same.
 */
function findLasting(
  deps: Deps,
  { handle, slug }: OpenCreationRow,
  number: number,
  { chart, charts }: { chart: Chart; charts: ReadonlyMap<number, Chart> },
) {
  const { creation, charts: folder } = addressesOf(deps.config.siteUrl);
  const lastingUrl = charts.has(number) ? `${folder(handle, slug, null)}/${number}` : creation(handle, slug);
  const isSame = [...charts.values()].some((one) => isDeepStrictEqual(one, chart));
  return { lastingUrl, newerUrl: isSame ? null : lastingUrl };
}

async function readChartsOf(
  deps: Deps,
  { id, payload }: Pick<OpenCreationRow["revision"], "id" | "payload">,
) {
  return await readCharts(deps, id, textOf(payload, "body_markdown") ?? "");
}
