import { html, isolate } from "../parts/markup.ts";
import { type CreationType, renderRemovalWords, renderTimestamp, TYPE_WORDS } from "../parts/words.ts";
import { type DecisionView, renderDecisions } from "./decisions.ts";
import { type ConsoleFrame, renderConsole } from "./frame.ts";

/** A revision whose content was removed, for its owner and for moderators. */
export interface RemovedRevisionView extends ConsoleFrame {
  room: "Agents" | "Moderation";
  /** The page that leads here. */
  workUrl: string;
  work: { type: CreationType; title: string; handle: string };
  revision: {
    number: number;
    saved_at: string;
    published_at: string | null;
    content_removed_at: string;
    content_removed_by: "owner" | "moderator" | null;
    checksum: string;
  };
  decisions: DecisionView[];
}

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
