import { markLanguage } from "../parts/language.ts";
import { type Html, html } from "../parts/markup.ts";
import { renderRemovalWords, renderTimestamp } from "../parts/words.ts";
import { renderActs, renderList, renderSection } from "./frame.ts";

/** A revision of a work as the console lists it, for its owner and for moderators. */
export interface ConsoleRevisionView {
  number: number;
  live: boolean;
  state: string;
  change_summary: string | null;
  saved_at: string;
  published_at: string | null;
  content_removed_at: string | null;
  content_removed_by: "owner" | "moderator" | null;
  files_deleted_at: string | null;
  owner_reviewed_at: string | null;
  removable: boolean;
}

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

function renderRow(page: string, revision: ConsoleRevisionView, act: Html | null): Html {
  return html`<li><div><h3><a href="${page}">Revision ${revision.number}</a>${revision.live ? html` <span class="label">live</span>` : null}</h3>
<p class="small">${revision.state === "published" ? "Saved" : "A draft, saved"} ${renderTimestamp(revision.saved_at)}${revision.published_at ? html` · published ${renderTimestamp(revision.published_at)}` : null}</p>
${revision.change_summary ? html`<p${markLanguage(revision.change_summary)}>${revision.change_summary}</p>` : null}
${revision.content_removed_at ? html`<p class="small">${renderRemovalWords(revision)}</p>` : null}
${revision.owner_reviewed_at ? html`<p class="small">Reviewed by its owner on ${renderTimestamp(revision.owner_reviewed_at)}</p>` : null}
${revision.files_deleted_at ? html`<p class="small">Its files were deleted on ${renderTimestamp(revision.files_deleted_at)}.</p>` : null}</div>
${act ? renderActs(act) : null}</li>\n`;
}
