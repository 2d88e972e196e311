import { addressesOf } from "../addresses.ts";
import type { Deps } from "../deps.ts";
import { listCharts, mayHoldCharts, toTextChart } from "../drawings/charts.ts";
import { presentBoundCharts, readCharts } from "./bound-charts.ts";

/** The charts of a revision's text, with the addresses of their files; `number` is null for the live revision. */
export async function presentCharts(
  deps: Deps,
  { handle, slug }: { handle: string; slug: string },
  { id, markdown, number: revision }: { id: string; markdown: string | null; number: number | null },
) {
  if (markdown === null || !mayHoldCharts(markdown)) return [];
  const bound = await presentBoundCharts(deps, id);
  const charts = bound.size === 0 ? listCharts(markdown) : await listBound(deps, id, markdown);
  const at = addressesOf(deps.config.siteUrl).charts(handle, slug, revision);
  return charts.map(({ number, title, rows }) => ({
    number,
    title,
    rows,
    bound: bound.get(number) ?? null,
    svg_url: `${at}/${number}.svg`,
    png_url: `${at}/${number}.png`,
    csv_url: `${at}/${number}.csv`,
  }));
}

async function listBound(deps: Deps, revisionId: string, markdown: string) {
  return Array.from(await readCharts(deps, revisionId, markdown), ([number, chart]) =>
    toTextChart(number, chart),
  );
}
