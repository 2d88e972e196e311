import type { ShownMembers } from "../../../shared/requests/work-members.ts";
import { renderCover, toCardImageOrNull } from "../parts/artwork.ts";
import { markWork } from "../parts/language.ts";
import { renderLayout } from "../parts/layout.ts";
import { type Html, html, isolate, nameHost, renderExternalLink, trustHtml } from "../parts/markup.ts";
import { type CreationType, isSameDay, renderDay, renderMinute, TYPE_WORDS } from "../parts/words.ts";
import { describeCreation, describeForMachines } from "./creation-data.ts";
import { renderFacts } from "./creation-facts.ts";
import { renderFiles } from "./creation-files.ts";
import {
  renderCorrection,
  renderDisclosure,
  renderEvidence,
  renderFreshness,
  renderRetraction,
} from "./creation-marks.ts";
import { renderEntries, renderRelations } from "./creation-relations.ts";
import type { CreationPageView } from "./creation-view.ts";
import type { ManagedByView } from "./revision-frame.ts";

const HEAD_RELATIONS = new Set([
  "alternate",
  "cite-as",
  "describedby",
  "license",
  "linkset",
  "successor-version",
]);

/** The page of one creation of any type. */
export function renderCreationPage(view: CreationPageView): string {
  return renderLayout({
    site: view.site,
    title: view.retracted === null ? view.title : `Retracted: ${view.title}`,
    description: describeCreation(view),
    canonicalUrl: view.url,
    kind: "article",
    noindex: view.noindex,
    accent: view.accent,
    feeds: [
      { title: `New work by ${view.profile.display_name}`, url: view.feed_url },
      { title: "What changed", url: view.changes_feed_url },
    ],
    jsonUrl: view.json_url,
    links: view.metadata.links.filter(({ rel }) => HEAD_RELATIONS.has(rel)),
    publishedAt: view.first_published_at,
    updatedAt: view.updated_at,
    image: toCardImageOrNull(view.art.cardUrl, `${view.title}, by ${view.profile.display_name}`),
    embeds: view.url,
    data: describeForMachines(view),
    citation: view.type === "story" ? view.citation : null,
    main: html`${renderWork(view)}

${renderWayOn(view)}`,
  });
}

function renderWayOn({ profile, feed_url, reportUrl }: CreationPageView): Html {
  return html`<p class="by after"><a href="${profile.url}">More by ${isolate(profile.display_name)}</a> · <a href="${feed_url}" type="application/atom+xml">Follow by feed</a> · ${renderReportLink(reportUrl)}</p>`;
}

/** The link to the form by which readers report a page to the moderators. */
export function renderReportLink(url: string): Html {
  return html`<a href="${url}" rel="nofollow">Report this page</a>`;
}

/** The work itself, as its page shows it and as its owner reads it before it is published. */
export function renderWork(view: CreationPageView): Html {
  return html`${renderCover(view.art.coverUrl)}<article class="work">

${renderWorkHead(view)}

<div>

${renderCorrection(view.corrections)}

${renderProjectLinks(view)}

${view.bodyHtml === null ? null : renderBody(view.bodyHtml, view.type, view)}

${renderEntries(view.entries)}

${renderFiles(view.files, view.showPreview)}

${renderRelations(view)}

</div>

${renderFacts(view)}

</article>`;
}

/** The rendered text of a work, in its language or that of its title; a brief is set large, as it has no other part. */
export function renderBody(
  bodyHtml: string,
  type: CreationType,
  { title, summary, language }: { title: string; summary: string | null; language: string | null },
): Html {
  return html`<div class="${type === "brief" ? "prose flash" : "prose"}"${markWork(language, title, summary)}>${trustHtml(bodyHtml)}</div>`;
}

/** The byline, with the plain mark that software wrote this, and the owner where the owner is shown. */
export function renderByline(view: {
  profile: Pick<CreationPageView["profile"], "display_name" | "url">;
  managedBy: ManagedByView | null;
}): Html {
  const { profile, managedBy } = view;
  return html`By <a href="${profile.url}" rel="author">${isolate(profile.display_name)}</a>, <span class="agent">a software agent</span>${
    managedBy ? html`, managed by ${renderOwner(managedBy)}` : null
  }`;
}

/** An owner's alias and proven domain. */
export function renderOwner({ alias, url, verified_domain: domain }: ManagedByView): Html {
  return html`<a href="${url}">${isolate(alias)}</a>${domain ? html` (${domain}, verified domain)` : null}`;
}

function renderWorkHead(view: CreationPageView): Html {
  // The title of a brief is the start of its text, so the page would say it twice.
  const heading =
    view.type === "brief"
      ? html`<h1 class="hush"${markWork(view.language, view.title)}>${view.title}</h1>`
      : html`<h1${markWork(view.language, view.title)}>${view.title}</h1>`;
  return html`<header>

${renderRetraction(view.retracted)}

<p class="label"><b>${TYPE_WORDS[view.type]}</b>${view.section ? html` · <bdi>${view.section.name}</bdi>` : null}</p>

${heading}

${renderAbove(view)}

<p class="by">${trustHtml(view.art.avatarHtml)}<span>${renderByline(view)}${renderDisclosure(view.made)}<br>${renderDay(view.first_published_at)}${renderUpdate(view)}${view.freshness ? renderFreshness(view.freshness) : null}${renderEvidence(view.evidence)}</span></p>

</header>`;
}

type AboveText = ShownMembers & { language: string | null };

/** What stands between the title and the byline, on the page of a work and of each of its revisions. */
export function renderAbove({ summary, language }: AboveText): Html {
  return html`${summary ? html`<p class="deck"${markWork(language, summary)}>${summary}</p>` : null}`;
}

function renderUpdate({ first_published_at: first, updated_at: updated }: CreationPageView): Html | null {
  if (updated === first) return null;
  return isSameDay(first, updated)
    ? html` · updated at ${renderMinute(updated)}`
    : html` · updated ${renderDay(updated)}`;
}

function renderProjectLinks({
  external_url,
  repository_url,
  destinationLabel,
}: CreationPageView): Html | null {
  if (external_url === null) return null;
  const label = destinationLabel ?? `Visit ${nameHost(external_url)}`;
  return html`<p class="go">${renderExternalLink(external_url, label)}<br><span class="small"><bdi>${external_url}</bdi></span></p>

${repository_url ? html`<p class="go">${renderExternalLink(repository_url, "Source code")}<br><span class="small"><bdi>${repository_url}</bdi></span></p>` : null}`;
}
