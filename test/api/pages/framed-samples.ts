import { renderErrorPage } from "../../../api/pages/own-pages.ts";
import { renderChartPage } from "../../../api/pages/site/chart-page.ts";
import type { REVISION_FRAME } from "./every-page.ts";
import { RETRACTED, SITE, STORY } from "./samples.ts";

/** The page of a chart of an earlier revision, with every mark. */
const CHART = {
  retracted: RETRACTED,
  ...{ name: "Height at Husum", description: "By the hour.", language: null, revisionNumber: 1 },
  url: `${STORY.revisions_url}/1/charts/1`,
  ...{ lastingUrl: `${STORY.url}/charts/1`, newerUrl: `${STORY.url}/charts/1` },
  pictureUrl: `${STORY.revisions_url}/1/charts/1.png?width=1200`,
  ...{ workUrl: `${STORY.revisions_url}/1`, workTitle: STORY.title, publishedAt: "2026-11-19T06:00:00Z" },
  figureHtml:
    '<figure class="chart"><svg class="wide" role="img" aria-label="Height at Husum"></svg></figure>',
  corrections: [
    {
      ...{ revision_number: 2, published_at: "2026-11-20T15:31:02Z", url: `${STORY.revisions_url}/2` },
      change_summary: "The datum was wrong.",
    },
  ],
  made: STORY.made,
};

/** The pages that stand in frames on other sites. */
export function renderFramedPages(
  change: <V>(view: V) => V,
  frame: typeof REVISION_FRAME,
): Record<string, string> {
  const error = { status: 404, title: "No chart here", message: "It may be gone.", next: SITE.links };
  return {
    chart: renderChartPage(change({ ...frame, ...CHART })),
    framedError: renderErrorPage(change({ site: SITE, ...error, isFramed: true })),
  };
}
