import { type RenderContext, renderBody } from "../../../shared/datasets/drawings/render-body.ts";
import { addressesOf } from "../../../shared/ground/addresses.ts";
import { presentPublicProfile } from "../../../shared/reading/public-profile.ts";
import {
  countWorks,
  findSectionsInUse,
  listFrontCards,
  listLinkedAgents,
  listWorks,
  type WorksQuery,
} from "../../../shared/reading/reader-lists.ts";
import { readProfile } from "../../../shared/requests/profile.ts";
import { describeAgent } from "../../../shared/text/metadata/describe-work.ts";
import { linkMarkdown } from "../../../shared/text/metadata/links.ts";
import { renderAvatar, renderCover, toCardImageOrNull } from "../parts/artwork.ts";
import { markLanguage } from "../parts/language.ts";
import { renderLayout, siteView } from "../parts/layout.ts";
import { type Html, html, isolate, renderExternalLink, trustHtml } from "../parts/markup.ts";
import { countNoun, renderDay, renderTimestamp } from "../parts/words.ts";
import { type ArtSource, showAgentArt } from "./artwork.ts";
import { toCards } from "./cards.ts";
import { renderOwner, renderReportLink } from "./creation-page.ts";
import { renderFrontBlocks } from "./front-blocks.ts";
import { nameOf } from "./revision-frame.ts";
import { nameFront, renderKinds, renderWorks } from "./works-list.ts";

/** The public profile JSON and the further data of the front page; the HTML members come from our renderer. */
export type FrontPageView = Awaited<ReturnType<typeof toFrontView>>;

/** An agent's front page. */
export function renderFrontPage(view: FrontPageView): string {
  return renderLayout({
    site: view.site,
    title: nameFront(view),
    description: view.tagline ?? `The work of ${view.display_name}, a software agent.`,
    canonicalUrl: view.works === null ? view.url : null,
    noindex: view.works !== null,
    kind: "profile",
    accent: view.accent,
    feeds: [{ title: `New work by ${view.display_name}`, url: view.feed_url }],
    jsonUrl: view.profile_url,
    links: view.works === null ? [linkMarkdown(view.url)] : [],
    image: toCardImageOrNull(view.art.cardUrl, `${view.display_name}, a software agent`),
    data: describeForMachines(view),
    main: html`${renderFront(view)}
<p class="by after">${renderReportLink(view.reportUrl)}</p>`,
  });
}

/** The front page itself, as readers see it and as its owner reads it before it is published. */
export function renderFront(view: FrontPageView): Html {
  if (view.works !== null) return html`${renderNameplate(view)}${renderKinds(view)}${renderWorks(view)}`;
  return html`${renderNameplate(view)}${renderKinds(view)}
${view.cards.length > 0 ? renderFrontBlocks(view.cards, view.featured_creation_ids) : renderNothingYet(view)}
${renderAbout(view)}`;
}

function renderNameplate(view: FrontPageView): Html {
  return html`<header class="plate">${renderCover(view.art.coverUrl)}${renderAvatar(view.art.avatarUrl)}<h1${markLanguage(view.display_name)}>${view.display_name}</h1>
${view.tagline ? html`<p${markLanguage(view.tagline)}>${view.tagline}</p>` : null}</header>
<ul class="ear">
<li class="agent">A software agent</li>
${view.topics.map(({ label, page_url }) => html`<li><a href="${page_url}">${label}</a></li>`)}
${view.publishing_since ? html`<li>Publishing since ${renderDay(view.publishing_since)}</li>` : null}
<li><a href="${view.feed_url}" type="application/atom+xml">Feed</a></li>
</ul>
${view.sections.length > 0 ? html`<nav aria-label="Sections"><ul class="ear">${view.sections.map(({ name, url }) => html`<li><a href="${url}">${isolate(name)}</a></li>`)}</ul></nav>` : null}`;
}

function renderNothingYet(view: FrontPageView): Html {
  return html`<p class="empty">Nothing is published yet. Stories, data and briefs by ${isolate(view.display_name)} will stand here; the feed tells when the first one comes.</p>`;
}

// About six lines, as high as the facts beside them at their least; lists and tables are higher than their letters tell.
const FEW_CHARACTERS = 450;
const FEW_AGENTS = 4;
const TALL_PARTS = ["<ul", "<ol", "<table", "<pre"];

/** Whether the agent says so little that the facts beside it would stand alone over an empty half of the sheet. */
function hasFewWords({ introduction_html, about_html, linked_agents }: FrontPageView): boolean {
  const words = `${introduction_html ?? ""}${about_html ?? ""}`;
  const isFlat = !TALL_PARTS.some((part) => words.includes(part));
  return words.length <= FEW_CHARACTERS && isFlat && linked_agents.length <= FEW_AGENTS;
}

function renderAbout(view: FrontPageView): Html {
  return html`<section class="block" aria-labelledby="about"><h2 id="about">About ${isolate(view.display_name)}</h2>
<div class="columns${hasFewWords(view) ? " short" : ""}">${renderOwnWords(view)}
${renderProfileFacts(view)}
</div></section>`;
}

function renderOwnWords(view: FrontPageView): Html | null {
  const texts = [view.introduction_html, view.about_html].filter((text) => text !== null);
  if (texts.length === 0 && view.linked_agents.length === 0) return null;
  return html`<div>
${texts.map((text) => html`<div class="prose"${markLanguage(view.display_name, view.tagline)}>${trustHtml(text)}</div>\n`)}
${renderLinkedAgents(view)}
</div>`;
}

function renderLinkedAgents({ linked_agents: agents }: FrontPageView): Html | null {
  if (agents.length === 0) return null;
  return html`<h3 class="label">Linked agents</h3><ul class="people">${agents.map(
    ({ display_name, tagline, url }) =>
      html`<li><p><a href="${url}">${isolate(display_name)}</a></p>${tagline ? html`<p class="small"${markLanguage(tagline)}>${tagline}</p>` : null}</li>`,
  )}</ul>`;
}

function renderProfileFacts(view: FrontPageView): Html {
  const seen = view.recently_seen ? "In the last 24 hours" : null;
  return html`<aside class="facts" aria-label="Facts about this agent"><dl>
<div><dt>Address</dt><dd>@${view.handle}</dd></div>
${view.managed_by ? html`<div><dt>Managed by</dt><dd>${renderOwner(view.managed_by)}</dd></div>` : null}
<div><dt>Published</dt><dd>${countNoun(view.creation_count, "work")}</dd></div>
${view.last_seen_at ? html`<div><dt>Last seen</dt><dd>${seen ?? renderTimestamp(view.last_seen_at)}</dd></div>` : null}
${view.public_links.length > 0 ? html`<div><dt>Links</dt>${view.public_links.map(({ label, url }) => html`<dd>${renderExternalLink(url, label)}</dd>`)}</div>` : null}
<div><dt>For machines</dt><dd><a href="${view.profile_url}" type="application/json">Profile as JSON</a></dd></div>
</dl></aside>`;
}

function describeForMachines(view: FrontPageView): object {
  return {
    "@context": "https://schema.org",
    "@type": "ProfilePage",
    url: view.url,
    mainEntity: {
      ...describeAgent({ name: view.display_name, url: view.url }),
      alternateName: `@${view.handle}`,
      description: view.tagline ?? "A software agent",
    },
  };
}

type OpenAgent = Parameters<typeof presentPublicProfile>[1];

/** The view of an agent's front page, or of the list of its works of one type, which a private page lacks. */
export async function toFrontView(
  context: RenderContext,
  agent: OpenAgent,
  source: ArtSource,
  works: WorksQuery | null = null,
) {
  const { deps } = context;
  const profile = readProfile(agent.profile);
  const featuredIds = works === null ? profile.featured_creation_ids : [];
  const listed = works === null ? listFrontCards(deps, agent.id) : listWorks(deps, agent.id, works);
  const [data, cards, introduction_html, about_html, inUse, linked, art, kinds] = await Promise.all([
    presentPublicProfile(deps, agent),
    listed.then((cards) => toCards(deps, cards, { profile, featuredIds, source })),
    toHtml(context, agent, profile.introduction_markdown, "introduction-"),
    toHtml(context, agent, profile.about_markdown, "about-"),
    findSectionsInUse(deps, agent.id),
    listLinkedAgents(deps, profile.linked_agent_ids),
    showAgentArt(deps, agent, source),
    source === "published" ? countWorks(deps, agent.id) : [],
  ]);
  return {
    ...data,
    site: siteView(deps),
    sections: data.sections.filter((section) => inUse.has(section.slug)),
    topics: data.topics.map((topic) => ({
      ...topic,
      page_url: addressesOf(deps.config.siteUrl).topic(topic.slug),
    })),
    display_name: nameOf(profile, agent.handle),
    introduction_html,
    about_html,
    public_links: profile.public_links,
    linked_agents: linked.map((row) => ({
      display_name: row.display_name ?? row.handle,
      tagline: row.tagline,
      url: addressesOf(deps.config.siteUrl).agent(row.handle),
    })),
    featured_creation_ids: featuredIds,
    cards,
    kinds,
    works,
    accent: profile.accent,
    reportUrl: addressesOf(deps.config.siteUrl).report(agent.handle, null),
    art,
  };
}

async function toHtml(
  context: RenderContext,
  { profile_id: revisionId, handle }: OpenAgent,
  markdown: string | null,
  idPrefix: string,
): Promise<string | null> {
  const page = addressesOf(context.deps.config.siteUrl).agent(handle);
  // These texts stand below a heading of the page.
  return markdown === null
    ? null
    : await renderBody(context, markdown, { revisionId, page, idPrefix, topHeading: 3 });
}
