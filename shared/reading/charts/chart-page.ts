import { listCorrections } from "../../../sql/reading/corrections.ts";
import type { OpenCreationRow } from "../../../sql/reading/open-creations.ts";
import { type RenderContext, renderChart } from "../../datasets/drawings/render-body.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { notFound } from "../../ground/errors.ts";
import { toIso } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { textOf } from "../../requests/members.ts";
import { nameChart } from "../../text/charts/chart-words.ts";
import { disclosureOf } from "../present-marks.ts";
import { presentCorrection } from "../public-creation.ts";
import type { PublishedRevision } from "../public-revisions.ts";
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
    readCharts(deps, revision.id, textOf(revision.payload, "body_markdown") ?? ""),
    listCorrections(deps.pool, { id: live.id, creation_id: creation.id }),
  ]);
  const chart = shown.get(block.number);
  if (chart === undefined) throw notFound("chart");
  const { charts } = showBoundData(deps, revision.id, bound, isLive);
  const figure = await renderChart(context, block, { revisionId: revision.id, chartsAt, charts });
  const [correction] = corrections.map((row) => presentCorrection(deps, creation, row));
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
    figure,
    correction: correction ?? null,
    newerUrl: await findNewer(deps, creation, revision, {
      number: block.number,
      chart: JSON.stringify(chart),
    }),
    made: disclosureOf(creation.type, revision),
  };
}

/** The live revision's chart of that number, or its page, where it shows something else than the chart of an earlier revision. */
async function findNewer(
  deps: Deps,
  { handle, slug, revision: live }: OpenCreationRow,
  revision: PublishedRevision,
  { number, chart }: { number: number; chart: string },
): Promise<string | null> {
  if (revision.id === live.id) return null;
  const charts = await readCharts(deps, live.id, textOf(live.payload, "body_markdown") ?? "");
  if ([...charts.values()].some((one) => JSON.stringify(one) === chart)) return null;
  const { creation, charts: folder } = addressesOf(deps.config.siteUrl);
  return charts.has(number) ? `${folder(handle, slug, null)}/${number}` : creation(handle, slug);
}
