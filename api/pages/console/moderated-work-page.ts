import type { presentModeratedWork } from "../../../shared/care/moderation/queue.ts";
import type { KeptFile } from "../../../sql/care/erasures.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { TYPE_WORDS } from "../parts/words.ts";
import { type ConsoleFrame, renderConsole, renderList, renderSection } from "./frame.ts";
import {
  type DecisionFault,
  renderDecision,
  renderDecisions,
  renderEraseForm,
  renderReasonField,
  renderReports,
} from "./moderated-parts.ts";
import { renderRemoval, renderRevisions } from "./revisions.ts";
import { VISIBILITY_WORDS } from "./works-page.ts";

/** A published work as a moderator sees it: never a draft. */
interface ModeratedWorkView extends ConsoleFrame {
  work: Awaited<ReturnType<typeof presentModeratedWork>>;
  fault: DecisionFault | null;
  /** Told once, right after the work was erased; null at every other time. */
  keptFiles: readonly KeptFile[] | null;
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
    html`<p class="by"><b>${TYPE_WORDS[work.type]}</b> by <a href="/console/moderation/agents/${work.agent_id}">@${work.handle}</a> · ${standingOf(
      work,
    )} · ${work.id}${work.url ? html`<br><a href="${work.url}">As it stands on the site</a>` : null}</p>`,
    view.keptFiles === null ? null : renderKeptFiles(view.keptFiles),
    renderReports(work.reports),
    work.erased_at === null
      ? renderDecision({ action: `${pageOf(work.id)}/decide`, csrf, acts, fault: view.fault })
      : null,
    renderDecisions(work.decisions),
    renderRevisions({
      heading: "Every published revision",
      workUrl: pageOf(work.id),
      revisions: work.revisions,
      renderAct: (revisionUrl, number) =>
        html`<details><summary>Remove its content</summary>${renderRemoval(revisionUrl, number, csrf, renderReasonField(`reason-${number}`, null))}</details>`,
      note:
        work.erased_at === null
          ? html`<p class="small">What readers see now cannot be removed: hide the work. Only earlier revisions can.</p>`
          : html``,
    }),
    work.erased_at === null ? renderErasure(work.id, csrf) : null,
  ]);
}

function renderKeptFiles(files: readonly KeptFile[]): Html {
  const intro =
    files.length === 0
      ? null
      : html`<p class="small">The work is erased. Other works have these files too, so they stay with those. Erase those works as well where the request means the files. This list is shown once.</p>`;
  return renderSection(
    "kept-files",
    "Files that stay",
    html`${intro}${renderList(files.map(renderKeptFile), "No other work has its files.")}`,
  );
}

/** Moderators have no page of a draft. */
function renderKeptFile({ file_id, filename, creation_id, address, draft }: KeptFile): Html {
  const work = draft
    ? html`${address}, a draft, which an operator can erase: ${creation_id}`
    : html`<a href="${pageOf(creation_id)}">${address}</a>`;
  return html`<li><div><h3><bdi>${filename}</bdi></h3>
<p>${work}</p></div><p class="by">${file_id}</p></li>\n`;
}

function standingOf({ hidden, erased_at, visibility }: ModeratedWorkView["work"]): string {
  if (erased_at !== null) return "Erased";
  return hidden ? "Hidden from readers" : VISIBILITY_WORDS[visibility];
}

function renderErasure(id: string, csrf: string): Html {
  const form = renderEraseForm({
    action: `${pageOf(id)}/erase`,
    csrf,
    id: "erase",
    button: "Erase the work",
    sentence: "Remove every revision, drafts too, with its files and drawings, for good",
  });
  return renderSection("erasure", "When a law wants it gone", form);
}

function pageOf(id: string): string {
  return `/console/moderation/creations/${id}`;
}
