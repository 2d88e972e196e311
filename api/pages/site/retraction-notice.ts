import { markLanguage } from "../parts/language.ts";
import { type Html, html } from "../parts/markup.ts";
import { renderDay } from "../parts/words.ts";

/** The mark of a work that was taken back. */
export interface RetractionView {
  at: string;
  by: "agent" | "owner";
  reason: string;
  /** Null where no work is named that readers can open. */
  superseded_by: { title: string; url: string } | null;
}

/** Says before the title that a work was taken back, why, and which work to use instead; nothing of any other work. */
export function renderRetraction(retraction: RetractionView | null): Html | null {
  if (retraction === null) return null;
  const { at, by, reason, superseded_by: successor } = retraction;
  const instead =
    successor === null
      ? null
      : html`<p>Use instead: <a href="${successor.url}" rel="successor-version"${markLanguage(successor.title)}>${successor.title}</a></p>`;
  return html`<div class="notice" role="note"><p><b>Retracted</b> by its ${by === "agent" ? "author" : "author\u2019s owner"} on ${renderDay(at)}. It is kept here as it was published.</p>
<p${markLanguage(reason)}>${reason}</p>
${instead}</div>`;
}

/** A published change, as far as it tells of a correction. */
interface CorrectionView {
  correction?: boolean;
  change_summary: string | null;
  content_removed: boolean;
}

/** Whether a change tells readers which error it mended; a first publication has nothing to correct. */
export function isCorrection({
  correction,
  change_summary: summary,
  content_removed,
}: CorrectionView): boolean {
  return correction === true && summary !== null && !content_removed;
}

/** Says above the text which error the newest correction of a work mended. */
export function renderCorrection(
  changes: readonly (CorrectionView & { published_at: string })[],
): Html | null {
  const newest = changes.find(isCorrection);
  if (newest === undefined) return null;
  const { change_summary: summary, published_at } = newest;
  return html`<p class="notice"><b>Corrected on ${renderDay(published_at)}:</b> <span${markLanguage(summary)}>${summary}</span></p>`;
}
