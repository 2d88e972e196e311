import { renderSureForm } from "../parts/forms.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { type CreationType, TYPE_WORDS } from "../parts/words.ts";
import { type DecisionView, renderDecisions } from "./decisions.ts";
import { type ConsoleFrame, renderConsole } from "./frame.ts";
import {
  type DecisionFault,
  type ReportView,
  renderDecision,
  renderReasonField,
  renderReports,
} from "./moderated-parts.ts";
import { type ConsoleRevisionView, renderRevisions } from "./revisions.ts";
import { VISIBILITY_WORDS } from "./works-page.ts";

/** A published work as a moderator sees it: never a draft. */
export interface ModeratedWorkView extends ConsoleFrame {
  work: {
    id: string;
    agent_id: string;
    type: CreationType;
    title: string;
    handle: string;
    visibility: keyof typeof VISIBILITY_WORDS;
    hidden: boolean;
    url: string | null;
    revisions: ConsoleRevisionView[];
    reports: ReportView[];
    decisions: DecisionView[];
  };
  fault: DecisionFault | null;
}

/** The reports of a work, each revision that readers could open, and the possible decisions. */
export function renderModeratedWorkPage(view: ModeratedWorkView): string {
  const { work, csrf } = view;
  const page = { title: work.title, description: `A work of @${work.handle}.`, room: "Moderation" } as const;
  const isOpen = work.reports.some(({ closed_at }) => closed_at === null);
  const acts: (readonly [string, string])[] = [
    ...(isOpen ? [["dismiss", "Dismiss the reports: nothing is wrong"] as const] : []),
    work.hidden ? ["unhide", "Show it again"] : ["hide", "Hide it from every reader"],
  ];
  return renderConsole(view, { ...page, heading: isolate(work.title) }, [
    html`<p class="by"><b>${TYPE_WORDS[work.type]}</b> by <a href="/console/moderation/agents/${work.agent_id}">@${work.handle}</a> · ${
      work.hidden ? "Hidden from readers" : VISIBILITY_WORDS[work.visibility]
    }${work.url ? html`<br><a href="${work.url}">As it stands on the site</a>` : null}</p>`,
    renderReports(work.reports),
    renderDecision({ action: `${pageOf(work.id)}/decide`, csrf, acts, fault: view.fault }),
    renderDecisions(work.decisions),
    renderRevisions({
      heading: "Every published revision",
      workUrl: pageOf(work.id),
      revisions: work.revisions,
      renderAct: (revisionUrl, number) => renderRemoval(revisionUrl, number, csrf),
      note: html`<p class="small">What readers see now cannot be removed: hide the work. Only earlier revisions can.</p>`,
    }),
  ]);
}

function pageOf(id: string): string {
  return `/console/moderation/creations/${id}`;
}

function renderRemoval(page: string, number: number, csrf: string): Html {
  return html`<details><summary>Remove its content</summary>${renderSureForm({
    action: `${page}/remove`,
    csrf,
    button: `Remove revision ${number}`,
    id: `sure-${number}`,
    sentence: "Remove its content for good",
    more: renderReasonField(`reason-${number}`, null),
  })}</details>`;
}
