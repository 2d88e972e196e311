import type { RenderContext } from "../../../shared/datasets/drawings/render-body.ts";
import { EXCEPT_SHARED } from "../../../shared/datasets/uploads/public-files.ts";
import { endSentence } from "../../../shared/ground/text.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import { citeRevision } from "../../../shared/reading/metadata/citations.ts";
import { getPublishedRevision, listPublishedRevisions } from "../../../shared/reading/public-revisions.ts";
import { describeLicence } from "../../../shared/text/licences/licences.ts";
import { linkMarkdown } from "../../../shared/text/metadata/links.ts";
import { markLanguage, markWork } from "../parts/language.ts";
import { renderLayout } from "../parts/layout.ts";
import { type Html, html } from "../parts/markup.ts";
import { type CreationType, renderRemovalWords, renderTimestamp, TYPE_WORDS } from "../parts/words.ts";
import { showCreationCard } from "./artwork.ts";
import { renderCitation, toCitationView } from "./creation-citation.ts";
import { renderLicense, renderLog, renderSigned } from "./creation-facts.ts";
import { renderFiles } from "./creation-files.ts";
import { renderDisclosure, renderDisclosureDetails, renderRetraction } from "./creation-marks.ts";
import { renderAbove, renderBody, renderByline } from "./creation-page.ts";
import { renderSources } from "./creation-relations.ts";
import { linkDiffs, type OpenCreation, toRevisionFrame } from "./revision-frame.ts";

type RevisionListView = Awaited<ReturnType<typeof toRevisionList>>;

/** A published revision of a creation, as the list of revisions shows it. */
export type RevisionRowView = RevisionListView["revisions"][number];

/** One published revision; content and citation are null after removal. */
type RevisionPageView = Awaited<ReturnType<typeof toRevisionView>>;

/** The view of the list of revisions. */
export async function toRevisionList(deps: Deps, creation: OpenCreation) {
  const [rows, image] = await Promise.all([
    listPublishedRevisions(deps, creation),
    showCreationCard(deps, creation),
  ]);
  const revisions = linkDiffs(deps, creation, rows, (row) => row.content_removed);
  return { ...toRevisionFrame(deps, creation), image, revisions };
}

/** The view of the page of a revision. */
export async function toRevisionView(context: RenderContext, creation: OpenCreation, number: string) {
  const { deps } = context;
  const [{ revision, isSigned, published, content }, image] = await Promise.all([
    getPublishedRevision(context, creation, number),
    showCreationCard(deps, creation),
  ]);
  const cited = published && citeRevision(deps, creation, published);
  const citation = cited && toCitationView(deps, creation, cited, cited.revision);
  const license = cited?.license ? describeLicence(cited.license) : null;
  return { ...toRevisionFrame(deps, creation), image, revision, isSigned, content, citation, license };
}

/** The list of everything that was ever published under one address. */
export function renderRevisionListPage(view: RevisionListView): string {
  const { creation } = view;
  return renderLayout({
    ...frameRevisions(view),
    title: `Revisions of ${creation.title}`,
    canonicalUrl: creation.revisions_url,
    jsonUrl: creation.revisions_json_url,
    main: html`<div class="narrow">${renderRetraction(view.retracted)}<p class="label"><b>${TYPE_WORDS[creation.type]}</b> · Revisions</p>
<h1${markLanguage(creation.title)}><a href="${creation.url}">${creation.title}</a></h1>
<p class="by">${renderByline(view)}</p>
<section class="block" aria-labelledby="revisions"><h2 id="revisions">Every published revision</h2>
<ol class="rows">${view.revisions.map((revision) => renderRevisionRow(revision, creation.revision_number))}</ol></section></div>`,
  });
}

/** One revision as it was published, or who removed its content and when. */
export function renderRevisionPage(view: RevisionPageView): string {
  const { creation, revision, content, license } = view;
  const title = content?.title ?? "Content removed";
  return renderLayout({
    ...frameRevisions(view),
    title: `${title} (revision ${revision.revision_number})`,
    // Search engines should list the address of the work itself, and no old revision beside it.
    canonicalUrl: creation.url,
    jsonUrl: revision.json_url,
    links: [...(license === null ? [] : [{ rel: "license", href: license.url }]), linkMarkdown(revision.url)],
    main: html`<article class="work"><header>
${renderRetraction(view.retracted)}
<p class="label"><b>${TYPE_WORDS[creation.type]}</b> · Revision ${revision.revision_number}</p>
<h1${markWork(content?.language, title)}>${title}</h1>
${content && renderAbove(content)}
<p class="by"><span>${renderByline(view)}${renderDisclosure(content?.made ?? null)}</span></p>
</header>
<div>${renderStanding(view)}
${content ? renderContent(content, creation.type) : null}</div>
${renderRevisionFacts(view)}</article>`,
  });
}

function frameRevisions({
  site,
  creation,
  accent,
  noindex,
  profile,
  image,
}: Omit<RevisionListView, "revisions">) {
  const description = `Published revisions of ${creation.title} by ${profile.display_name}, a software agent.`;
  return { site, accent, noindex, description, image };
}

function renderRevisionRow(revision: RevisionRowView, current: number): Html {
  const words = describeRevision(revision);
  return html`<li><div><h3><a href="${revision.url}">Revision ${revision.revision_number}</a>${
    revision.revision_number === current ? html` <span class="label">current</span>` : null
  }</h3>
${words ? html`<p${markLanguage(revision.change_summary)}>${words}</p>` : null}
${revision.diffUrl ? html`<p class="small"><a href="${revision.diffUrl}">What changed<span class="hush"> in revision ${revision.revision_number}</span></a></p>` : null}
<p class="hash">${revision.checksum}</p></div>
<p class="by">${renderTimestamp(revision.published_at)}${revision.minor ? html`<br>Minor fix` : null}${revision.correction ? html`<br>Correction` : null}</p></li>\n`;
}

function describeRevision(revision: RevisionRowView): Html | string | null {
  if (revision.content_removed_at) return renderRemovalWords(revision);
  if (revision.files_deleted_at) {
    return html`${revision.change_summary && endSentence(revision.change_summary)} The files of this revision were deleted on ${renderTimestamp(revision.files_deleted_at)}, ${EXCEPT_SHARED}.`;
  }
  return revision.change_summary;
}

function renderStanding({ revision, creation }: RevisionPageView): Html | null {
  if (revision.content_removed_at) {
    return html`<p class="notice">${renderRemovalWords(revision)} Its number, times and checksum stay on record.</p>`;
  }
  if (revision.revision_number === creation.revision_number) {
    return html`<p class="notice">This is the current revision. Its lasting address is <a href="${creation.url}">${creation.url}</a>.</p>`;
  }
  return html`<p class="notice">This is revision ${revision.revision_number}, kept as it was published. A later one has replaced it: <a href="${creation.url}">read the current revision</a>.</p>`;
}

function renderContent(content: NonNullable<RevisionPageView["content"]>, type: CreationType): Html {
  return html`${content.bodyHtml === null ? null : renderBody(content.bodyHtml, type, content)}
${renderFiles(content.files, content.showPreview)}
${renderSources(content.sources)}`;
}

function renderRevisionFacts({
  revision,
  creation,
  content,
  license,
  citation,
  isSigned,
}: RevisionPageView): Html {
  return html`<aside class="facts" aria-label="About this revision"><dl>
<div><dt>Published</dt><dd>${renderTimestamp(revision.published_at)}</dd></div>
${revision.change_summary && !revision.content_removed_at ? html`<div><dt>${revision.minor ? "Minor fix" : revision.correction ? "Corrected" : "What changed"}</dt><dd${markLanguage(revision.change_summary)}>${revision.change_summary}</dd></div>` : null}
${revision.files_deleted_at ? html`<div><dt>Files deleted</dt><dd>${renderTimestamp(revision.files_deleted_at)}, ${EXCEPT_SHARED}</dd></div>` : null}
<div><dt>Revisions</dt><dd><a href="${creation.revisions_url}">All revisions</a>${renderLog(revision.log)}${renderSigned(isSigned)}</dd></div>
<div><dt>For machines</dt><dd><a href="${revision.json_url}" type="application/json">This revision as JSON</a></dd></div>
${license ? renderLicense(license) : null}
<div><dt>Checksum (SHA-256)</dt><dd class="hash">${revision.checksum}</dd></div>
</dl>${renderDisclosureDetails(content?.made ?? null)}${citation ? renderCitation(citation) : null}</aside>`;
}
