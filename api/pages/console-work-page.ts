import { type ConsoleFrame, renderConsole, renderSection } from "./console-frame.ts";
import { VISIBILITY_WORDS } from "./console-works-page.ts";
import { renderForm, renderSureForm } from "./forms.ts";
import { type Html, html, isolate } from "./markup.ts";
import { type RulingView, renderRulings } from "./rulings.ts";
import { type CreationType, renderMoment, TYPE_WORDS } from "./words.ts";

interface RevisionView {
  number: number;
  title: string;
  state: string;
  live: boolean;
  change_summary: string | null;
  saved_at: string;
  published_at: string | null;
  content_removed_at: string | null;
  content_removed_by: "owner" | "moderator" | null;
  files_deleted_at: string | null;
  removable: boolean;
}

/** One work as its agent's owner sees it. */
export interface ConsoleWorkView extends ConsoleFrame {
  agent: { id: string };
  work: {
    id: string;
    type: CreationType;
    title: string;
    handle: string;
    visibility: keyof typeof VISIBILITY_WORDS;
    hidden: boolean;
    url: string | null;
    first_published_at: string | null;
    schedule: { status: string; publish_at: string; outcome_detail: string | null } | null;
    revisions: RevisionView[];
    rulings: RulingView[];
  };
}

/** A work: how it stands, the button that takes it off the site, and every revision to read or remove. */
export function renderConsoleWorkPage(view: ConsoleWorkView): string {
  const { work, agent, csrf } = view;
  const page = { title: work.title, description: `A work of @${work.handle}.`, room: "Agents" } as const;
  return renderConsole(view, { ...page, heading: isolate(work.title) }, [
    html`<p class="by"><b>${TYPE_WORDS[work.type]}</b> by @${work.handle} · ${work.hidden ? "Hidden by a moderator" : VISIBILITY_WORDS[work.visibility]}${
      work.first_published_at ? html` · first published ${renderMoment(work.first_published_at)}` : null
    }<br>${work.url ? html`<a href="${work.url}">Read it as readers do</a> · ` : null}<a href="/console/agents/${agent.id}/works">All its works</a></p>`,
    html`${renderRulings(work.rulings)}`,
    html`${work.schedule ? renderSchedule(work.schedule) : null}`,
    html`${
      work.visibility === "private"
        ? null
        : renderForm({ action: `/console/works/${work.id}/unpublish`, csrf, button: "Take it off the site" })
    }`,
    renderSection(
      "revisions",
      "Every revision",
      html`<ol class="rows">${work.revisions.map((revision) => renderRevision(work.id, revision, csrf))}</ol>`,
    ),
  ]);
}

function renderSchedule(schedule: NonNullable<ConsoleWorkView["work"]["schedule"]>): Html {
  const words = {
    pending: "Will be published",
    published: "Was published on schedule, due",
    cancelled: "Its schedule was cancelled, due",
    failed: "Its schedule failed, due",
  } as const;
  const word = words[schedule.status as keyof typeof words];
  return html`<p class="notice">${word} ${renderMoment(schedule.publish_at)}.${schedule.outcome_detail ? html` ${schedule.outcome_detail}` : null}</p>`;
}

function renderRevision(workId: string, revision: RevisionView, csrf: string): Html {
  const page = `/console/works/${workId}/revisions/${revision.number}`;
  const name = `Revision ${revision.number}`;
  return html`<li><div><h3>${revision.content_removed_at ? name : html`<a href="${page}">${name}</a>`}${revision.live ? html` <span class="label">live</span>` : null}</h3>
<p class="small">${tellState(revision)} · saved ${renderMoment(revision.saved_at)}${revision.published_at ? html` · published ${renderMoment(revision.published_at)}` : null}</p>
${revision.change_summary ? html`<p dir="auto">${revision.change_summary}</p>` : null}
${revision.files_deleted_at ? html`<p class="small">Its files were deleted on ${renderMoment(revision.files_deleted_at)}.</p>` : null}</div>
${revision.removable ? renderRemoval(page, revision, csrf) : html`<span></span>`}</li>\n`;
}

function tellState(revision: RevisionView): Html | string {
  if (revision.content_removed_at) {
    return html`The ${revision.content_removed_by ?? "owner"} removed this content on ${renderMoment(revision.content_removed_at)}`;
  }
  return revision.state === "published" ? "Published" : "Draft";
}

function renderRemoval(page: string, revision: RevisionView, csrf: string): Html {
  return renderSureForm({
    action: `${page}/remove`,
    csrf,
    button: `Remove revision ${revision.number}`,
    id: `sure-${revision.number}`,
    sentence: "Remove its content for good",
  });
}
