import type { Piece } from "../../../shared/tables/differences/row-counts.ts";
import { markLanguage } from "../parts/language.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { countNoun, renderDay, renderTimestamp } from "../parts/words.ts";
import { renderCitation } from "./creation-citation.ts";
import { renderDisclosureDetails } from "./creation-marks.ts";
import type { ChangeView, CreationPageView } from "./creation-view.ts";

/** The licence of a work. */
export type LicenseView = NonNullable<CreationPageView["license"]>;

const CHANGES_SHOWN = 5;
const MOST_LISTED = 100;

/** Dates, section, revision, checksum and addresses of a work, then what changed in it. */
export function renderFacts(view: CreationPageView): Html {
  return html`<aside class="facts" aria-label="About this publication">
<dl>
${view.section ? html`<div><dt>Section</dt><dd><a href="${view.section.url}"><bdi>${view.section.name}</bdi></a></dd></div>` : null}
<div><dt>${view.isDraft ? "Saved" : "First published"}</dt><dd>${renderTimestamp(view.first_published_at)}</dd></div>
${view.updated_at === view.first_published_at ? null : html`<div><dt>Last updated</dt><dd>${renderTimestamp(view.updated_at)}</dd></div>`}
<div><dt>Revision</dt><dd>${view.revision_number}${view.isClosed ? null : html` · <a href="${view.revisions_url}">all revisions</a>`}${renderLog(view.log)}${renderSigned(view.isSigned)}</dd></div>
${view.visibility === "unlisted" ? html`<div><dt>Visibility</dt><dd>Unlisted: open to everyone who has the address</dd></div>` : null}
${view.json_url ? html`<div><dt>For machines</dt><dd><a href="${view.json_url}" type="application/json">This page as JSON</a></dd></div>` : null}
${view.lastSeenAt ? html`<div><dt>Agent last seen</dt><dd>${renderTimestamp(view.lastSeenAt)}</dd></div>` : null}
${view.license ? renderLicense(view.license) : null}
${view.cited_by.length > 0 ? html`<div><dt>Cited by</dt><dd><a href="#cited-by">${countCiting(view.cited_by)}</a></dd></div>` : null}
<div><dt>Checksum (SHA-256)</dt><dd class="hash">${view.checksum}</dd></div>
</dl>
${renderDisclosureDetails(view.made)}
${view.citation ? renderCitation(view.citation) : null}
${renderChanges("what-changed", "What changed", selectChanges(view.changes, false), view.revisions_url)}
${renderChanges("minor-fixes", "Minor fixes", selectChanges(view.changes, true), view.revisions_url)}
</aside>`;
}

/** The mark of a revision that the transparency log has, which leads to its proof. */
export function renderLog(log: CreationPageView["log"]): Html | null {
  if (log === null) return null;
  const seen = log.witnesses > 0 ? `, seen by ${countNoun(log.witnesses, "witness", "witnesses")}` : "";
  return html` · <a href="${log.proof_url}">On record${seen}</a>`;
}

/** The mark of a revision that its agent signed with a key of its own. */
export function renderSigned(isSigned: boolean): Html | null {
  return isSigned ? html` · Signed by the agent` : null;
}

/** The line of a licence, with the mark by which machines know it. */
export function renderLicense({ name, url }: LicenseView): Html {
  return html`<div><dt>Licence</dt><dd><a href="${url}" rel="license">${name}</a></dd></div>`;
}

/** The list of citing works ends at a hundred. */
function countCiting(citing: CreationPageView["cited_by"]): string {
  const count = countNoun(new Set(citing.map(({ id }) => id)).size, "work");
  return citing.length < MOST_LISTED ? count : `${count} or more`;
}

// A revision without a summary, such as the first, is listed only if its content was removed.
function selectChanges(changes: ChangeView[], minor: boolean): ChangeView[] {
  return changes.filter(
    (change) => change.minor === minor && (change.change_summary !== null || change.content_removed),
  );
}

function renderChanges(id: string, heading: string, changes: ChangeView[], allUrl: string): Html | null {
  if (changes.length === 0) return null;
  const more = changes.length > CHANGES_SHOWN;
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>
<ul class="list">${changes.slice(0, CHANGES_SHOWN).map((change) => html`<li>${renderChange(change)}</li>`)}</ul>
${more ? html`<p class="small"><a href="${allUrl}">Earlier changes</a></p>` : null}</section>`;
}

function renderChange(change: ChangeView): Html {
  const words = change.content_removed
    ? html`<p>Content removed${change.content_removed_by ? ` by the ${change.content_removed_by}` : ""}</p>`
    : html`<p${markLanguage(change.change_summary)}>${change.change_summary}</p>${renderDataChanges(change.data)}`;
  return html`${words}<p class="small"><a href="${change.url}">Revision ${change.revision_number}</a>, ${renderDay(change.published_at)}${change.correction ? ", a correction" : null}${change.diffUrl ? html`, <a href="${change.diffUrl}">what changed<span class="hush"> in revision ${change.revision_number}</span></a>` : null}</p>`;
}

function renderDataChanges({ files, others }: ChangeView["data"]): Html {
  return html`${files.map(({ label, words }) => html`<p>${isolate(label)}: ${renderPieces(words)}.</p>`)}${
    others > 0 ? html`<p>${countNoun(others, "more file")} changed.</p>` : null
  }`;
}

/** What changed in a table, with the names of columns set apart. */
export function renderPieces(words: readonly Piece[]): Html {
  return html`${words.map((piece) => (typeof piece === "string" ? piece : isolate(piece.name)))}`;
}
