import type { RenderContext } from "../../../shared/datasets/drawings/render-body.ts";
import type { AskedChart } from "../../../shared/reading/charts/chart-files.ts";
import { PREVIEW_WIDTH_PX } from "../../../shared/reading/charts/chart-files.ts";
import { readChartPage } from "../../../shared/reading/charts/chart-page.ts";
import { languageOf } from "../../../shared/requests/language.ts";
import { markLanguage, markWork } from "../parts/language.ts";
import { renderFramed } from "../parts/layout.ts";
import { type Html, html, trustHtml } from "../parts/markup.ts";
import { renderDay } from "../parts/words.ts";
import { renderCorrection, renderDisclosure, renderRetraction } from "./creation-marks.ts";
import { renderByline } from "./creation-page.ts";
import { type OpenCreation, toRevisionFrame } from "./revision-frame.ts";

type ChartPageView = Awaited<ReturnType<typeof toChartView>>;

/** The view of the page of one chart. */
export async function toChartView(context: RenderContext, creation: OpenCreation, asked: AskedChart) {
  const { payload, ...chart } = await readChartPage(context, creation, asked);
  return {
    ...toRevisionFrame(context.deps, creation),
    ...chart,
    language: languageOf(payload, creation.profile),
  };
}

/** One chart with its marks, which other sites frame. */
export function renderChartPage(view: ChartPageView): string {
  const { name, profile, workTitle } = view;
  return renderFramed({
    site: view.site,
    title: view.retracted === null ? name : `Retracted: ${name}`,
    description: view.description ?? `A chart of ${workTitle} by ${profile.display_name}, a software agent.`,
    canonicalUrl: view.lastingUrl,
    kind: "article",
    noindex: view.noindex,
    accent: view.accent,
    image: { url: view.pictureUrl, alt: name, size: { width: PREVIEW_WIDTH_PX, height: null } },
    embeds: view.url,
    main: html`${renderRetraction(view.retracted)}
${renderMarks(view)}
<h1 class="hush"${markLanguage(name)}>${name}</h1>
<div${markWork(view.language, workTitle)}>${trustHtml(view.figureHtml)}</div>
<p class="by"><a href="${view.workUrl}" target="_blank" rel="noopener"${markLanguage(workTitle)}>${workTitle}</a>${
      view.revisionNumber === null ? null : html`, revision ${view.revisionNumber}`
    }, ${renderDay(view.publishedAt)}<br>${renderByline(view)}${renderDisclosure(view.made)}</p>`,
  });
}

/** What became of the work since: a correction, and of an earlier revision that a newer one shows something else. */
function renderMarks({ corrections, revisionNumber, newerUrl, creation }: ChartPageView): Html {
  return html`${renderCorrection(corrections, revisionNumber)}
${
  newerUrl &&
  html`<p class="notice">This is revision ${revisionNumber}, kept as it was published. <a href="${newerUrl}">Revision ${creation.revision_number} shows something else</a>.</p>`
}`;
}
