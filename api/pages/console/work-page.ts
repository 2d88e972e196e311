import type { presentOwnersWork } from "../../../shared/works/present-to-owner.ts";
import { renderForm, renderMainForm } from "../parts/forms.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { renderTimestamp, TYPE_WORDS } from "../parts/words.ts";
import { type RetractionView, renderRetraction } from "../site/creation-marks.ts";
import { type PreviewLink, renderPreviewLinks } from "./agent-parts.ts";
import { type ConsoleFrame, renderActs, renderConsole, renderSection } from "./frame.ts";
import { type DecisionView, renderDecisions } from "./moderated-parts.ts";
import { type ReadsView, renderReads } from "./reads-page.ts";
import { renderRemoval, renderRevisions } from "./revisions.ts";
import { VISIBILITY_WORDS } from "./works-page.ts";

interface ConsoleWorkView extends ConsoleFrame {
  agent: { id: string };
  work: Awaited<ReturnType<typeof presentOwnersWork>> & {
    decisions: DecisionView[];
    /** Null for a work that was never published. */
    reads: ReadsView | null;
    /** The open ones. */
    previews: PreviewLink[];
  };
}

/** A work: its state, the buttons that cancel its schedule and take it off the site, and every revision. */
export function renderConsoleWorkPage(view: ConsoleWorkView): string {
  const { work, agent, csrf } = view;
  const page = { title: work.title, description: `A work of @${work.handle}.`, room: "Agents" } as const;
  const workUrl = `/console/works/${work.id}`;
  return renderConsole(view, { ...page, heading: isolate(work.title) }, [
    html`<p class="by"><b>${TYPE_WORDS[work.type]}</b> by @${work.handle} · ${work.hidden ? html`Hidden from readers: <a href="#decisions">why</a>` : VISIBILITY_WORDS[work.visibility]}${
      work.first_published_at ? html` · first published ${renderTimestamp(work.first_published_at)}` : null
    }<br>${work.url ? html`<a href="${work.url}">Read it as readers do</a> · ` : null}<a href="/console/agents/${agent.id}/works">All its works</a></p>`,
    html`${work.schedule ? renderSchedule(work.schedule) : null}`,
    renderActs(
      work.visibility === "private"
        ? null
        : renderMainForm({ action: `${workUrl}/unpublish`, csrf, button: "Take it off the site" }),
      work.schedule?.status === "pending"
        ? renderForm({ action: `${workUrl}/schedule/cancel`, csrf, button: "Cancel the schedule" })
        : null,
    ),
    renderPreviewLinks(work.previews, { workUrl, csrf }),
    work.reads === null ? null : renderReads(work.reads),
    renderRevisions({
      heading: "Every revision",
      workUrl,
      revisions: work.revisions,
      renderAct: (revisionUrl, number) => renderRemoval(revisionUrl, number, csrf),
    }),
    renderRetractionForm(workUrl, csrf, work),
    renderDecisions(work.decisions),
  ]);
}

const SCHEDULE_WORDS: Record<string, string> = {
  pending: "will be published on",
  published: "was published on schedule, due",
  cancelled: "is not scheduled any more; it was due",
  failed: "was not published as scheduled; it was due",
};

function renderSchedule(schedule: NonNullable<ConsoleWorkView["work"]["schedule"]>): Html {
  const { status, number, visibility, outcome_detail: detail } = schedule;
  const subject = number === null ? "It" : `Revision ${number}`;
  return html`<p class="notice">${subject} ${SCHEDULE_WORDS[status]} ${renderTimestamp(schedule.publish_at)}${visibility === "unlisted" ? ", unlisted" : ""}.${detail ? html` ${detail}` : null}</p>`;
}

/** The mark of a work with the form that takes it away, or the form that sets it; null for one that is neither open nor marked. */
function renderRetractionForm(
  workUrl: string,
  csrf: string,
  { retracted, visibility }: { retracted: RetractionView | null; visibility: string },
): Html | null {
  if (retracted !== null) {
    return renderSection(
      "retraction",
      "Retracted",
      renderRetraction(retracted),
      renderForm({
        action: `${workUrl}/reinstate`,
        csrf,
        button: "Reinstate it",
        fields: renderReason("Why it holds after all"),
      }),
    );
  }
  if (visibility === "private") return null;
  const fields = html`${renderReason("Why readers should not rely on it any more")}
<label for="superseded-by">The page of the work to use instead (optional)</label>
<input id="superseded-by" name="superseded_by" autocomplete="off" spellcheck="false" maxlength="500" dir="ltr">`;
  return renderSection(
    "retraction",
    "Take it back",
    html`<p class="small">A retracted work stays open as it is, under a notice with your reason; every work that cites it says so too. Nothing new of it is published until it is reinstated.</p>`,
    renderForm({ action: `${workUrl}/retract`, csrf, button: "Retract it", fields }),
  );
}

function renderReason(label: string): Html {
  return html`<label for="reason">${label}</label>
<textarea id="reason" name="reason" rows="3" maxlength="500" required dir="auto"></textarea>`;
}
