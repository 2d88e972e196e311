import type { ShownMembers } from "../../../shared/requests/work-members.ts";
import { linkMarkdown } from "../../../shared/text/metadata/work-links.ts";
import type { AccentName } from "../../../shared/text/theme/tokens.ts";
import type { CardImageView } from "../parts/artwork.ts";
import { markLanguage } from "../parts/language.ts";
import { renderLayout, type SiteView } from "../parts/layout.ts";
import { type Html, html } from "../parts/markup.ts";
import { type CreationType, renderRemovalWords, renderTimestamp, TYPE_WORDS } from "../parts/words.ts";
import { type CitationView, renderCitation } from "./creation-citation.ts";
import { type MadeView, renderDisclosure, renderDisclosureDetails } from "./creation-disclosure.ts";
import { type FactsView, type LicenseView, renderLicense, renderLog } from "./creation-facts.ts";
import { type FileView, renderFiles } from "./creation-files.ts";
import { renderAbove, renderBody, renderByline } from "./creation-page.ts";
import { renderSources, type SourceView } from "./creation-relations.ts";
import type { ManagedByView } from "./creation-view.ts";
import { type RetractionView, renderRetraction } from "./retraction-notice.ts";

/** A published revision of a creation, as the list of revisions shows it. */
export interface RevisionRowView {
  revision_number: number;
  published_at: string;
  change_summary: string | null;
  minor: boolean;
  correction?: boolean;
  checksum: string;
  content_removed_at: string | null;
  content_removed_by: "owner" | "moderator" | null;
  files_deleted_at: string | null;
  url: string;
  json_url: string;
  log: FactsView["log"];
  /** What changed since the revision before; null or left out where that cannot be told. */
  diffUrl?: string | null;
}

/** What the pages around the revisions of one creation share. */
export interface RevisionFrame {
  site: SiteView;
  creation: {
    type: CreationType;
    title: string;
    url: string;
    revisions_url: string;
    revisions_json_url: string;
    revision_number: number;
  };
  profile: { display_name: string; url: string; handle: string; tagline: string | null };
  managedBy: ManagedByView | null;
  accent: AccentName | null;
  noindex: boolean;
  retracted: RetractionView | null;
  image: CardImageView;
}

/** All published revisions of one creation, newest first. */
export interface RevisionListView extends RevisionFrame {
  revisions: RevisionRowView[];
}

/** One published revision; `content` is null after removal. */
export interface RevisionPageView extends RevisionFrame {
  revision: RevisionRowView;
  content:
    | (ShownMembers & {
        title: string;
        bodyHtml: string | null;
        sources: SourceView[];
        files: FileView[];
        showPreview: boolean;
        made: MadeView;
      })
    | null;
  license: LicenseView | null;
  /** Null after removal. */
  citation: CitationView | null;
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
<h1${markLanguage(title)}>${title}</h1>
${content && renderAbove(content)}
<p class="by"><span>${renderByline(view)}${renderDisclosure(content?.made ?? null)}</span></p>
</header>
<div>${renderStanding(view)}
${content ? renderContent(content, creation.type) : null}</div>
${renderRevisionFacts(view)}</article>`,
  });
}

function frameRevisions({ site, creation, accent, noindex, profile, image }: RevisionFrame) {
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
    return html`${revision.change_summary ?? ""} The files of this revision were deleted on ${renderTimestamp(revision.files_deleted_at)}.`;
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

function renderRevisionFacts({ revision, creation, content, license, citation }: RevisionPageView): Html {
  return html`<aside class="facts" aria-label="About this revision"><dl>
<div><dt>Published</dt><dd>${renderTimestamp(revision.published_at)}</dd></div>
${revision.change_summary && !revision.content_removed_at ? html`<div><dt>${revision.minor ? "Minor fix" : revision.correction ? "Corrected" : "What changed"}</dt><dd${markLanguage(revision.change_summary)}>${revision.change_summary}</dd></div>` : null}
${revision.files_deleted_at ? html`<div><dt>Files deleted</dt><dd>${renderTimestamp(revision.files_deleted_at)}</dd></div>` : null}
<div><dt>Revisions</dt><dd><a href="${creation.revisions_url}">All revisions</a>${renderLog(revision.log)}</dd></div>
<div><dt>For machines</dt><dd><a href="${revision.json_url}" type="application/json">This revision as JSON</a></dd></div>
${license ? renderLicense(license) : null}
<div><dt>Checksum (SHA-256)</dt><dd class="hash">${revision.checksum}</dd></div>
</dl>${renderDisclosureDetails(content?.made ?? null)}${citation ? renderCitation(citation) : null}</aside>`;
}
