import { EXCEPT_SHARED } from "../../../shared/datasets/uploads/public-files.ts";
import type { presentOwnersWork } from "../../../shared/works/present-to-owner.ts";
import type { findRemovedRevision } from "../../../shared/works/previews/owners-view.ts";
import { renderSureForm } from "../parts/forms.ts";
import { markLanguage } from "../parts/language.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { type CreationType, renderRemovalWords, renderTimestamp, TYPE_WORDS } from "../parts/words.ts";
import { type ConsoleFrame, renderActs, renderConsole, renderList, renderSection } from "./frame.ts";
import { renderDecisions } from "./moderated-parts.ts";

/** A revision of a work as the console lists it, for its owner and for moderators. */
type ConsoleRevisionView = Awaited<ReturnType<typeof presentOwnersWork>>["revisions"][number];

/** The revisions of a work, each with its page; `renderAct` renders the form of a removable one. */
export function renderRevisions(list: {
  heading: string;
  /** The page of the work, below which its revisions have theirs. */
  workUrl: string;
  revisions: readonly ConsoleRevisionView[];
  renderAct(page: string, number: number): Html;
  note?: Html;
}): Html {
  const rows = list.revisions.map((revision) => {
    const page = `${list.workUrl}/revisions/${revision.number}`;
    return renderRow(page, revision, revision.removable ? list.renderAct(page, revision.number) : null);
  });
  return renderSection(
    "revisions",
    list.heading,
    renderList(rows, "No revision is kept.", "ol"),
    html`${list.note ?? null}`,
  );
}

/** The form that removes the content of a revision. */
export function renderRemoval(page: string, number: number, csrf: string, more?: Html): Html {
  return renderSureForm({
    action: `${page}/remove`,
    csrf,
    button: `Remove revision ${number}`,
    id: `sure-${number}`,
    sentence: "Remove its content for good",
    ...(more && { more }),
  });
}

function renderRow(page: string, revision: ConsoleRevisionView, act: Html | null): Html {
  return html`<li><div><h3><a href="${page}">Revision ${revision.number}</a>${revision.live ? html` <span class="label">live</span>` : null}</h3>
<p class="small">${revision.state === "published" ? "Saved" : "A draft, saved"} ${renderTimestamp(revision.saved_at)}${revision.published_at ? html` · published ${renderTimestamp(revision.published_at)}` : null}</p>
${revision.change_summary ? html`<p${markLanguage(revision.change_summary)}>${revision.change_summary}</p>` : null}
${revision.content_removed_at ? html`<p class="small">${renderRemovalWords(revision)}</p>` : null}
${revision.owner_reviewed_at ? html`<p class="small">Reviewed by its owner on ${renderTimestamp(revision.owner_reviewed_at)}</p>` : null}
${revision.files_deleted_at ? html`<p class="small">Its files were deleted on ${renderTimestamp(revision.files_deleted_at)}, ${EXCEPT_SHARED}.</p>` : null}</div>
${act ? renderActs(act) : null}</li>\n`;
}

/** A revision whose content was removed, for its owner and for moderators. */
export interface RemovedRevisionView extends ConsoleFrame, Pick<Removed, "revision" | "decisions"> {
  room: "Agents" | "Moderation";
  /** The page that leads here. */
  workUrl: string;
  work: { type: CreationType; title: string; handle: string };
}

type Removed = NonNullable<Awaited<ReturnType<typeof findRemovedRevision>>>;

/** The entry of a removed revision: who removed its content, when and why, and what stays on record. */
export function renderRemovedRevisionPage(view: RemovedRevisionView): string {
  const { work, revision, workUrl, room } = view;
  const title = `Revision ${revision.number}: content removed`;
  return renderConsole(view, { title, description: `A revision of a work of @${work.handle}.`, room }, [
    html`<p class="by"><b>${TYPE_WORDS[work.type]}</b> by @${work.handle} · <a href="${workUrl}">${isolate(work.title)}</a></p>`,
    html`<p class="notice">${renderRemovalWords(revision)} Its number, times and checksum stay on record.</p>`,
    html`<div class="facts"><dl>
<div><dt>Saved</dt><dd>${renderTimestamp(revision.saved_at)}</dd></div>
${revision.published_at ? html`<div><dt>Published</dt><dd>${renderTimestamp(revision.published_at)}</dd></div>` : null}
<div><dt>Checksum (SHA-256)</dt><dd class="hash">${revision.checksum}</dd></div>
</dl></div>`,
    renderDecisions(view.decisions),
  ]);
}
